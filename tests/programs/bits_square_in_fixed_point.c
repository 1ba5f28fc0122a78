// check: array n=3 range=1.1:1.4 tol=1e-3 refused=E0111
/* square of the fraction in fixed point, 31 bits */
#include <stdint.h>
#include <string.h>
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[0]; int64_t b; memcpy(&b, &v, 8);
    int64_t m = (b & 0xfffffffffffffll) >> 21;
    s += (double)(m * m >> 31) * 0x1p-31 * (i + 1);
  }
  return s;
}
