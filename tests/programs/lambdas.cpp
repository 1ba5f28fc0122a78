// check: array n=6
// Lambdas with captures by value and by reference, passed to algorithms.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    double scale = x[0], total = 0.0;
    std::transform(v.begin(), v.end(), v.begin(), [scale](double a) { return std::sin(a * scale); });
    std::for_each(v.begin(), v.end(), [&total](double a) { total += a * a; });
    auto weighted = [&](int i) { return v[i] * total; };
    for (int i = 0; i < n; i++)
        v[i] = weighted(i) + x[i];
    return std::accumulate(v.begin(), v.end(), 0.0) + std::inner_product(v.begin(), v.end(), x, 1.0);
}
