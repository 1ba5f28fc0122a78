// check: array n=3 range=0.5:2.0 tol=5e-2 refused=E0111
/* Exponential by putting a scaled argument into the bits (Schraudolph 1999). */
#include <stdint.h>
#include <string.h>
static double fast_exp(double x) {
  int64_t bits = (int64_t)(6497320848556798.0 * x + 4606853616395542500.0);
  double r;
  memcpy(&r, &bits, sizeof r);
  return r;
}
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += fast_exp(x[i]) * (i + 1);
  return s;
}
