// check: array n=6 range=0.5:2.0 tol=1e-6
/* the next number above, by its bits, in an outward rounding interval sum */
#include <stdint.h>
#include <string.h>
static uint64_t bits(double d) { uint64_t b; memcpy(&b, &d, 8); return b; }
static double number(uint64_t b) { double d; memcpy(&d, &b, 8); return d; }
double objective(double *x, int n) {
  double hi = x[0] * x[1], s = 0;
  for (int i = 0; i < n; i++) {
    s += hi * x[i];
    hi = number(bits(hi) + 1);
  }
  return s + hi;
}
