// check: array n=3 range=1.1:1.4 refused=E0111
/* a histogram of keys by level: the spread of keys as a count */
#include <stdint.h>
#include <string.h>
struct range { int64_t low, high; };
__attribute__((noinline)) static struct range keys(const double *x, int n) {
  struct range r = {INT64_MAX, 0};
  for (int i = 0; i < n; i++) { double v = x[i] * x[0]; int64_t b; memcpy(&b, &v, 8); if (b < r.low) r.low = b; if (b > r.high) r.high = b; }
  return r;
}
double objective(double *x, int n) {
  struct range r = keys(x, n);
  return (double)(r.high - r.low) * 0x1p-50 + x[0] * x[1];
}
