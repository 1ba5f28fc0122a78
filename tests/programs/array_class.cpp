// check: array n=6
// std::array, by value and by reference.
#include <array>

using Triple = std::array<double, 3>;

static Triple scaled(Triple t, double by)
{
    for (auto &v : t)
        v *= by;
    return t;
}

static double dot(const Triple &a, const Triple &b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); i++)
        sum += a[i] * b[i];
    return sum;
}

extern "C" double objective(const double *x, int n)
{
    Triple a{x[0], x[1], x[2]}, b{x[3], x[4], x[5]};
    a = scaled(a, dot(a, b));
    b.swap(a);
    return dot(a, a) + dot(b, a) * b[1];
}
