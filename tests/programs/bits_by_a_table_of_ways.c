// check: array n=3 range=1.1:1.4 refused=E0111
/* the way to a key is chosen by a table of functions */
#include <stdint.h>
#include <string.h>
static int64_t raw(double v) { int64_t b; memcpy(&b, &v, 8); return b; }
static int64_t rounded(double v) { return (int64_t)v; }
static int64_t (*const ways[])(double) = {raw, rounded};
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (double)ways[n % 3](x[i] * x[0]) * 0x1p-52 * (i + 1);
  return s;
}
