// check: array n=9 flags=-std=c++20
// C++20 ranges: filter, transform, take and reverse views.
#include <cmath>
#include <ranges>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    double sum = 0.0;
    for (double s : v | std::views::transform([](double a) { return a * a; }) |
                        std::views::filter([](double a) { return a > 0.7; }) | std::views::take(5))
        sum += std::log(1.0 + s);
    double power = 1.0;
    for (int i : std::views::iota(0, n) | std::views::reverse) {
        sum += power * v[i];
        power *= 0.5;
    }
    return sum;
}
