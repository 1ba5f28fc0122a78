// check: array n=4
// Adaptive Simpson quadrature by recursion with a function object.
#include <cmath>

template <class F> static double simpson(const F &f, double a, double b, double fa, double fm, double fb, int depth)
{
    double m = 0.5 * (a + b), h = b - a;
    double fl = f(0.5 * (a + m)), fr = f(0.5 * (m + b));
    double whole = h / 6.0 * (fa + 4.0 * fm + fb);
    double halves = h / 12.0 * (fa + 4.0 * fl + 2.0 * fm + 4.0 * fr + fb);
    if (depth == 0 || std::fabs(halves - whole) < 1e-3)
        return halves + (halves - whole) / 15.0;
    return simpson(f, a, m, fa, fl, fm, depth - 1) + simpson(f, m, b, fm, fr, fb, depth - 1);
}

extern "C" double objective(const double *x, int n)
{
    auto f = [&](double t) { return std::exp(-x[0] * t * t) * std::cos(x[1] * t) + x[2] * t; };
    double a = 0.0, b = x[n - 1] + 1.0;
    return simpson(f, a, b, f(a), f(0.5 * (a + b)), f(b), 6);
}
