// check: array n=3 range=1.1:1.4 refused=E0111
#include <stdint.h>
#include <string.h>
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[0];
    uint64_t b;
    memcpy(&b, &v, 8);
    b = (b << 12) | (b >> 52);
    s += (double)b * 0x1p-64 * (i + 1);
  }
  return s;
}
