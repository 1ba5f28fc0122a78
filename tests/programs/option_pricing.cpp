// check: array n=5 range=0.2:0.9
// Black-Scholes by formula, by binomial tree and by Monte Carlo with a generator inside.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

static double normal(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }

static double formula(double s, double k, double r, double v, double t)
{
    double d1 = (std::log(s / k) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t));
    return s * normal(d1) - k * std::exp(-r * t) * normal(d1 - v * std::sqrt(t));
}

static double tree(double s, double k, double r, double v, double t)
{
    const int steps = 12;
    double h = t / steps, u = std::exp(v * std::sqrt(h)), p = (std::exp(r * h) - 1.0 / u) / (u - 1.0 / u);
    std::vector<double> value(steps + 1);
    for (int i = 0; i <= steps; i++)
        value[i] = std::fmax(0.0, s * std::pow(u, 2.0 * i - steps) - k);
    for (int n = steps; n > 0; n--)
        for (int i = 0; i < n; i++)
            value[i] = std::exp(-r * h) * (p * value[i + 1] + (1.0 - p) * value[i]);
    return value[0];
}

static double monte_carlo(double s, double k, double r, double v, double t)
{
    std::mt19937_64 generator(42);
    std::normal_distribution<double> gauss;
    double sum = 0.0;
    for (int i = 0; i < 50; i++) {
        double end = s * std::exp((r - 0.5 * v * v) * t + v * std::sqrt(t) * gauss(generator));
        sum += std::log1p(std::exp(4.0 * (end - k)));
    }
    return std::exp(-r * t) * sum / 50;
}

extern "C" double objective(const double *x, int)
{
    return formula(x[0], x[1], x[2], x[3], x[4]) + tree(x[0], x[1], x[2], x[3], x[4]) + monte_carlo(x[0], x[1], x[2], x[3], x[4]);
}
