// check: array n=5 range=0.5:2.0 tol=5e-2 refused=E0111
/* Schraudolph's exponential, clamped, into an array. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static inline double fast_exp(double v) {
  int64_t i = (int64_t)(6497320848556798.0 * v + 4606794787981739000.0);
  double d;
  memcpy(&d, &i, sizeof d);
  return d;
}
double objective(double *x, int n) {
  double s = 0, *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++) w[i] = x[i] > 30.0 ? 1e13 : fast_exp(x[i]);
  for (int i = 0; i < n; i++) s += w[i] * (i + 1);
  free(w);
  return s;
}
