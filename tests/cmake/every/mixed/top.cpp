#include <vector>

extern "C" double low(const double *x, int n);
extern "C" double scaled(double x);

extern "C" double noise(double x);

extern "C" double top(const double *x, int n) {
  std::vector<double> values(x, x + n);
  for (double &value : values) value = scaled(value);
  return low(values.data(), n) + noise(x[0]);
}
