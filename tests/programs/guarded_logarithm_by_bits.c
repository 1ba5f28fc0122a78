// check: array n=3 range=1.1:1.3 tol=1e-4 refused=E0111
#include <float.h>
#include <stdint.h>
#include <string.h>
/* log2 by bits and a polynomial of the fraction, guarded against zero by the smallest number */
static double fast_log2(double v) {
  uint64_t b;
  if (!(v > 0)) v = DBL_TRUE_MIN;
  memcpy(&b, &v, 8);
  return (double)(int64_t)b * 0x1p-52 - 1022.94;
}
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * fast_log2(x[i] * 1.2);
  return s;
}
