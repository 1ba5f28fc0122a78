// check: array n=3 range=1.1:1.4 refused=E0111
#include <stdint.h>
#include <string.h>
#include <stdatomic.h>
static _Atomic int64_t sum;
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[0];
    int64_t b;
    memcpy(&b, &v, 8);
    atomic_store(&sum, 0);
    atomic_fetch_add(&sum, b - 0x3ff0000000000000);
    s += (double)atomic_load(&sum) * 0x1p-52 * (i + 1);
  }
  return s;
}
