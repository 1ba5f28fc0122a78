// check: scalar n=2 range=1.0:1.6
// A generic solver with a functor and its derivative, until convergence.
#include <cmath>

struct Kepler {
    double eccentricity, anomaly;
    double operator()(double e) const { return e - eccentricity * std::sin(e) - anomaly; }
    double slope(double e) const { return 1.0 - eccentricity * std::cos(e); }
};

template <class F> static double solve(const F &f, double start)
{
    double at = start;
    for (;;) {
        double step = f(at) / f.slope(at);
        at -= step;
        if (std::fabs(step) < 1e-14)
            break;
    }
    return at;
}

extern "C" double objective(double a, double b)
{
    Kepler k{0.4 * a, b};
    double e = solve(k, b);
    return std::cos(e) * a;
}
