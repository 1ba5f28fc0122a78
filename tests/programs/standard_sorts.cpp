// check: array n=20,3
// std::sort and its kin on active doubles, with lambdas.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<double> y(n), z;
    for (int i = 0; i < n; i++)
        y[i] = std::sin(9 * x[i]) + 0.01 * i;
    z = y;
    double sum = 0;
    std::sort(y.begin(), y.end());
    for (int i = 0; i < n; i++)
        sum += (i + 1) * y[i] * y[i];
    std::sort(z.begin(), z.end(), [](double a, double b) { return a > b; });
    sum += z[0] * z[n / 2];
    std::stable_sort(z.begin(), z.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    for (int i = 0; i < n; i++)
        sum += (i % 3) * z[i] * z[i] * x[i];
    std::nth_element(z.begin(), z.begin() + n / 2, z.end());
    sum += z[n / 2] * z[n / 2];
    std::partial_sort(z.begin(), z.begin() + n / 2, z.end(), std::greater<>());
    for (int i = 0; i < n / 2; i++)
        sum += std::cos(i) * z[i] * z[i];
    return sum;
}
