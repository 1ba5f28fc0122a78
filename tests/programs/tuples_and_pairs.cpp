// check: array n=6
// std::tuple and std::pair returned, tied, concatenated and applied.
#include <cmath>
#include <tuple>
#include <utility>

static std::pair<double, double> polar(double x, double y)
{
    return {std::hypot(x, y), std::atan2(y, x)};
}

static std::tuple<double, float, double> three(double a, double b)
{
    return std::make_tuple(a * b, static_cast<float>(1.0), a / b);
}

extern "C" double objective(const double *x, int n)
{
    double r, phi;
    std::tie(r, phi) = polar(x[0], x[1]);
    auto joined = std::tuple_cat(three(x[2], x[3]), std::make_pair(r, phi));
    double all = std::apply([](double a, float b, double c, double d, double e) { return a * d + b * c * e; }, joined);
    return all + std::get<0>(joined) * x[n - 1];
}
