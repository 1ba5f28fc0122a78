// check: array n=6
// std::optional of a double and std::tuple of mixed types.
#include <cmath>
#include <optional>
#include <tuple>

static std::optional<double> root(double v)
{
    if (v < 1.0)
        return std::nullopt;
    return std::sqrt(v);
}

static std::tuple<double, int, double> split(double v)
{
    int whole = static_cast<int>(v);
    return {v - whole, whole, v * v};
}

extern "C" double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        auto r = root(x[i]);
        auto [rest, whole, square] = split(2.0 * x[i]);
        sum += r ? *r * rest : r.value_or(0.1) * square;
        sum += whole * square;
    }
    return sum;
}
