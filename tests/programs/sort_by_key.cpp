// check: array n=8
// Numbers permuted by sorting constant keys: std::sort, stable_sort and nth_element of indices.
#include <algorithm>
#include <numeric>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<int> order(n), keys(n);
    for (int i = 0; i < n; i++)
        keys[i] = (i * 37 + 11) % 17;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * x[order[i]] * x[order[i]];
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x[a] > x[b]; });
    for (int i = 0; i < n; i++)
        sum += x[order[i]] / (i + 1.0);
    return sum;
}
