// check: array n=7
// min, max, clamp, accumulate, max_element, reverse, fill, copy, partial_sum.
#include <algorithm>
#include <numeric>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<double> v(n), sums(n);
    std::copy(x, x + n, v.begin());
    std::reverse(v.begin(), v.end());
    std::partial_sum(v.begin(), v.end(), sums.begin());
    double sum = std::accumulate(sums.begin(), sums.end(), 1.0, [](double a, double b) { return a + b * b; });
    sum *= *std::max_element(v.begin(), v.end());
    for (int i = 0; i + 1 < n; i++)
        sum += std::min(v[i], v[i + 1]) * std::max(v[i], 1.0) + std::clamp(x[i], 0.8, 1.2);
    std::fill(v.begin(), v.begin() + 2, sum);
    return v[0] * v[n - 1];
}
