// check: scalar n=2
// References as parameters and results; std::swap, std::tie.
#include <tuple>
#include <utility>

static double &larger(double &a, double &b)
{
    return a > b ? a : b;
}

static void rotate(double &a, double &b, double by)
{
    std::tie(a, b) = std::make_tuple(a - by * b, b + by * a);
}

extern "C" double objective(double a, double b)
{
    double c = a * b, d = a + 0.3;
    larger(c, d) *= b;
    std::swap(c, d);
    for (int i = 0; i < 5; i++)
        rotate(c, d, 0.2);
    return c * d + a;
}
