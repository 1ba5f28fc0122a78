#include <complex>

namespace waves {

using number = std::complex<double>;

double energy(const number *z, int n, const number k, std::complex<float> f) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += std::norm(k * z[i] * z[i]) + f.real() * f.imag();
  return sum;
}

std::complex<float> product(const std::complex<float> &a, std::complex<float> b) { return a * b; }

}  // namespace waves
