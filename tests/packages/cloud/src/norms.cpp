#include "cloud.hpp"

double cloud::norm(const double *x, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum += square(x[i]);
  return std::sqrt(sum);
}
