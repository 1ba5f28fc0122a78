// The exceptions, the heap and text of the Fortran part need both languages' runtimes.
#include <cmath>
#include <stdexcept>
#include <vector>

#include "rate.h"
#ifndef SCALED
#error "the build script defines it"
#endif

extern "C" {
void weigh(double *x, int n);
void note(double value);

double decay(const double *x, int n) {
  if (n < 0) throw std::invalid_argument("no length");
  std::vector<double> weighted(x, x + n);
  weigh(weighted.data(), n);
  double sum = 0;
  for (double value : weighted) sum += std::exp(-RATE * value);
  note(sum);
  return sum;
}
}
