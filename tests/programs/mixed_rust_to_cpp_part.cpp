#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace {
class spline {
    std::vector<double> knots;
    std::function<double(double)> basis;

  public:
    spline(const double *x, std::size_t n) : knots(x, x + n), basis([w = x[n - 1]](double r) { return std::exp(-w * r * r); }) {}
    double at(double t) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < knots.size(); i++)
            sum += knots[i] * basis(t - static_cast<double>(i) * 0.3);
        return sum;
    }
};
}  // namespace

extern "C" {
void *spline_new(const double *x, std::size_t n)
{
    return new spline(x, n);
}

double spline_at(const void *s, double t)
{
    return static_cast<const spline *>(s)->at(t);
}

void spline_free(void *s)
{
    delete static_cast<spline *>(s);
}

void sorted(double *x, std::size_t n)
{
    std::sort(x, x + n);
}
}
