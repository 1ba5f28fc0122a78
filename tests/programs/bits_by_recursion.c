// check: array n=3 range=1.1:1.4 refused=E0111
/* keys of numbers, by recursion for negative ones, as levels */
#include <stdint.h>
#include <string.h>
static int64_t key(double v) { int64_t b; if (v < 0) return -key(-v); memcpy(&b, &v, 8); return b; }
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (double)(key(x[i] * x[0]) - key(1.0)) * 0x1p-52 * (i + 1) + (double)key(-1.0 * i) * 0x1p-90;
  return s;
}
