// check: array n=5
// A member that could share an object of which none is ever made: the link has no class of such objects, whose functions
// the end of the member would call, two in a row.
#include <cmath>
#include <memory>
#include <tuple>
#include <vector>

namespace {

struct Source {
    virtual double at(int i) const = 0;
    virtual ~Source() = default;
};

template <class T> struct Shared {
    std::shared_ptr<T> self;
};

struct Values : Shared<Source> {
    std::vector<double> held;
    explicit Values(const double *x, int n) : held(x, x + n) {}
    double at(int i) const { return self ? self->at(i) : held[i]; }
};

template <class A, class B> struct Product : Shared<Source> {
    std::tuple<A, B> of;
    Product(A a, B b) : of(std::move(a), std::move(b)) {}
    double at(int i) const { return std::get<0>(of).at(i) * std::sin(std::get<1>(of).at(i)); }
};

template <class E> __attribute__((noinline)) double sum(E e, int n)
{
    double total = 0.0;
    for (int i = 0; i < n; i++)
        total += e.at(i);
    return total;
}

} // namespace

extern "C" double objective(const double *x, int n)
{
    Values a(x, n), b(x + 1, n - 1);
    b.held.push_back(x[0]);
    return sum(Product<Values, Values>(a, b), n) + sum(b, n) * a.at(0);
}
