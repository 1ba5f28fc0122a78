// check: array n=9
// Leapfrog for the wave equation in one dimension, three buffers rotated, source and misfit.
#include <cmath>
#include <utility>
#include <vector>

extern "C" double objective(const double *c, int n)
{
    std::vector<double> before(n), now(n), after(n);
    double misfit = 0.0;
    for (int t = 0; t < 12; t++) {
        for (int i = 1; i + 1 < n; i++)
            after[i] = 2.0 * now[i] - before[i] + 0.3 * c[i] * c[i] * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        after[n / 2] += std::exp(-0.5 * (t - 3.0) * (t - 3.0));
        std::swap(before, now);
        std::swap(now, after);
        double residual = now[1] - 0.01 * t;
        misfit += residual * residual;
    }
    return misfit + c[0] * c[n - 1];
}
