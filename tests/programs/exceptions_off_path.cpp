// check: array n=5
// Errors reported by exceptions that are not thrown at the point; at() with its bounds check.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

static double checked_log(double v)
{
    if (v <= 0.0)
        throw std::domain_error("logarithm of a number that is not positive");
    return std::log(v);
}

extern "C" double objective(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += checked_log(v.at(i)) * v.at((i + 1) % n);
    return sum;
}
