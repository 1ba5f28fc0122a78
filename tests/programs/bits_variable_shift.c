// check: array n=3 range=1.1:1.4 tol=1e-3 refused=E0111
/* piecewise linear logarithm with a chosen number of bits */
#include <stdint.h>
#include <string.h>
static double approx_log2(double v, int drop) {
  uint64_t b; memcpy(&b, &v, 8);
  return (double)(int64_t)(b >> drop) / (double)(1ll << (52 - drop)) - 1023;
}
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += approx_log2(x[i] * x[0], 4 + i % 2) * (i + 1);
  return s;
}
