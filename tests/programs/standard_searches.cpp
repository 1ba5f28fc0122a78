// check: array n=12
// std::lower_bound, upper_bound, equal_range and binary searches in active tables of doubles and structs.
#include <algorithm>
#include <cmath>
#include <vector>

struct Knot {
    double at, value;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<double> grid(n);
    std::vector<Knot> table(n);
    for (int i = 0; i < n; i++) {
        grid[i] = i + 0.3 * x[i];
        table[i] = {grid[i], x[i] * x[n - 1 - i]};
    }
    double sum = 0;
    for (int k = 0; k < 15; k++) {
        double at = 0.7 * k + 0.2 + 0.1 * x[k % n];
        auto it = std::lower_bound(grid.begin(), grid.end(), at);
        if (it != grid.begin() && it != grid.end()) {
            double t = (at - it[-1]) / (*it - it[-1]);
            sum += (k + 1) * t * t;
        }
        auto knot = std::upper_bound(table.begin(), table.end(), at, [](double a, const Knot &b) { return a < b.at; });
        if (knot != table.end())
            sum += knot->value * knot->at;
        auto found = std::partition_point(table.begin(), table.end(), [&](const Knot &k) { return k.at * k.at < at; });
        if (found != table.end())
            found->value *= 1 + 0.1 * at;
    }
    auto largest = std::max_element(table.begin(), table.end(), [](const Knot &a, const Knot &b) { return a.value < b.value; });
    return sum * largest->value;
}
