// check: array n=4 range=0.25:0.75 flags=-std=c++20
// The special functions of C++17, whose series and recurrences are differentiated step by step; lerp, hypot of three.
#include <cmath>

extern "C" double objective(const double *x, int)
{
    double a = x[0], b = x[1], c = x[2], d = x[3];
    double s = std::beta(a, 1.5 + b) + std::riemann_zeta(1.5 + c) + std::riemann_zeta(d - 3) + std::expint(a) * b;
    s += std::legendre(4, a) + std::assoc_legendre(4, 2, b) + std::sph_legendre(3, 1, c) + std::hermite(5, d);
    s += std::laguerre(5, a) + std::assoc_laguerre(5, 2, b) + std::sph_bessel(2, c) + std::sph_neumann(2, d);
    s += std::cyl_bessel_j(1.5, a) + std::cyl_bessel_i(1.5, b) + std::cyl_bessel_k(1.5, c) + std::cyl_neumann(0.5, d);
    s += std::ellint_1(a, 0.7) + std::ellint_2(b, 0.7) + std::ellint_3(c, 0.3, 0.7) + std::ellint_1(0.3, d);
    return s + std::lerp(a, b, c) * std::hypot(b, c, d);
}
