// check: array n=8
// Several returns past objects with destructors.
#include <vector>

static double search(const std::vector<double> &v, double limit)
{
    double sum = 0.0;
    for (double a : v) {
        std::vector<double> powers{a, a * a, a * a * a};
        for (double p : powers) {
            sum += p;
            if (sum > limit)
                return sum * p;
        }
    }
    return -sum;
}

extern "C" double objective(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    double first = search(v, 5.0);
    v.resize(2 * n, x[0]);
    return first + search(v, 1000.0) + v[n];
}
