// check: array n=8
// Lazy vector arithmetic by expression templates.
#include <cmath>
#include <cstddef>
#include <vector>

template <class E> struct Expression {
    const E &self() const { return static_cast<const E &>(*this); }
    double operator[](std::size_t i) const { return self()[i]; }
};

struct Vector : Expression<Vector> {
    std::vector<double> data;
    explicit Vector(std::size_t n) : data(n) {}
    double operator[](std::size_t i) const { return data[i]; }
    template <class E> Vector &operator=(const Expression<E> &e)
    {
        for (std::size_t i = 0; i < data.size(); i++)
            data[i] = e.self()[i];
        return *this;
    }
};

template <class A, class B, class F> struct Binary : Expression<Binary<A, B, F>> {
    const A &a;
    const B &b;
    Binary(const A &left, const B &right) : a(left), b(right) {}
    double operator[](std::size_t i) const { return F::apply(a[i], b[i]); }
};

struct Add {
    static double apply(double a, double b) { return a + b; }
};
struct Times {
    static double apply(double a, double b) { return a * b; }
};

template <class A, class B> Binary<A, B, Add> operator+(const Expression<A> &a, const Expression<B> &b)
{
    return {a.self(), b.self()};
}
template <class A, class B> Binary<A, B, Times> operator*(const Expression<A> &a, const Expression<B> &b)
{
    return {a.self(), b.self()};
}

extern "C" double objective(const double *x, int n)
{
    Vector u(n), v(n), w(n);
    for (int i = 0; i < n; i++) {
        u.data[i] = x[i];
        v.data[i] = std::sin(x[n - 1 - i]);
    }
    w = u * v + u * (u + v);
    w = w * w + v;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += w[i] / (i + 1.0);
    return sum;
}
