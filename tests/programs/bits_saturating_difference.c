// check: array n=3 range=1.1:1.4 tol=1e-3 refused=E0111
/* octaves above one, none below: unsigned difference that saturates */
#include <stdint.h>
#include <string.h>
static double octaves(double v) {
  uint64_t b, one = 0x3ff0000000000000ull; memcpy(&b, &v, 8);
  uint64_t d = b > one ? b - one : 0;
  return (double)d * 0x1p-52;
}
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += octaves(x[i] * x[0]) * (i + 1);
  return s;
}
