// check: array n=20,3
// std::sort and its kin on structs with active numbers, with lambdas that look at other memory, too.
#include <algorithm>
#include <cmath>
#include <vector>

struct Item {
    double key;
    int id;
    float weight;
    double value;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<Item> y;
    for (int i = 0; i < n; i++)
        y.push_back({std::sin(9 * x[i]) + 0.01 * i, i, 0.5f * i, x[i] * x[(i + 1) % n]});
    double sum = 0;
    std::sort(y.begin(), y.end(), [&](const Item &a, const Item &b) { return a.key * x[0] < b.key * x[0]; });
    for (int i = 0; i < n; i++)
        sum += (i + 1) * y[i].key * y[i].value + y[i].id * y[i].key * y[i].weight;
    std::nth_element(y.begin(), y.begin() + n / 2, y.end(), [](const Item &a, const Item &b) { return a.value < b.value; });
    sum += y[n / 2].value * y[n / 2].key;
    std::partial_sort(y.begin(), y.begin() + n / 2, y.end(), [](const Item &a, const Item &b) { return a.key > b.key; });
    for (int i = 0; i < n / 2; i++)
        sum += std::cos(i) * y[i].key * y[i].value;
    return sum;
}
