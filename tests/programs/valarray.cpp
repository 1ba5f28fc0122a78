// check: array n=7
// std::valarray: element-wise mathematics, slices, masks and sums.
#include <valarray>

extern "C" double objective(const double *x, int n)
{
    std::valarray<double> v(x, n);
    std::valarray<double> w = std::exp(-v) * std::sin(v) + 0.5 * v;
    w[std::slice(0, (n + 1) / 2, 2)] *= std::valarray<double>(2.0, (n + 1) / 2);
    std::valarray<double> shifted = v.shift(1) + v.cshift(2);
    return (w * shifted).sum() + w.max() - std::pow(v, 2.0).min();
}
