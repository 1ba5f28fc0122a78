// check: array n=9
// <numeric> and <algorithm>: partial sums, differences, transform, generate, rotate, reverse.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<double> a(x, x + n), b(n), c(n);
    std::partial_sum(a.begin(), a.end(), b.begin());
    std::adjacent_difference(b.begin(), b.end(), c.begin(), [](double u, double v) { return u * v; });
    std::transform(a.begin(), a.end(), c.begin(), c.begin(), std::multiplies<>());
    std::rotate(c.begin(), c.begin() + 2, c.end());
    std::reverse(b.begin() + 1, b.end());
    double t = 0.3;
    std::vector<double> weights(n);
    std::generate(weights.begin(), weights.end(), [&t] { return t *= 1.2; });
    std::for_each(a.begin(), a.end(), [](double &v) { v = std::sqrt(v); });
    return std::inner_product(b.begin(), b.end(), c.begin(), 0.0) +
           std::transform_reduce(a.begin(), a.end(), weights.begin(), 0.0) +
           std::accumulate(a.begin(), a.end(), 1.0, std::multiplies<>());
}
