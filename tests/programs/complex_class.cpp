// check: array n=4
// std::complex: a few steps of Newton for z^3 = c.
#include <complex>

using C = std::complex<double>;

extern "C" double objective(const double *x, int n)
{
    C z(x[0], x[1]), c(x[2], x[3]);
    for (int i = 0; i < 4; i++)
        z -= (z * z * z - c) / (3.0 * z * z);
    return std::norm(z) + std::real(z * std::conj(c)) + std::abs(z);
}
