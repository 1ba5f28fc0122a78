#include <cmath>
#include <vector>

extern "C" double norm(const double *x, int n) {
  std::vector<double> powers(x, x + n);
  double sum = 0;
  for (double &value : powers) sum += std::pow(value, POWER);
  return sum;
}
