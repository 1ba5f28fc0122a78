// check: array n=8
// std::complex: multiplication, division, polar form, exp, a discrete Fourier transform.
#include <complex>
#include <vector>

using complex = std::complex<double>;

extern "C" double objective(const double *x, int n)
{
    std::vector<complex> z;
    for (int i = 0; i + 1 < n; i += 2)
        z.emplace_back(x[i], x[i + 1]);
    int m = static_cast<int>(z.size());
    double sum = 0.0;
    for (int k = 0; k < m; k++) {
        complex total = 0.0;
        for (int j = 0; j < m; j++)
            total += z[j] * std::polar(1.0, -2.0 * M_PI * j * k / m);
        sum += std::norm(total) / (1.0 + k);
    }
    complex q = z[0] / (z[1] + complex(2.0, 0.5));
    return sum + std::abs(q) + std::exp(q).real() + std::arg(q);
}
