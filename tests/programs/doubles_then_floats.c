// check: array n=4 range=0.6:1.9 tol=1e-5
/* arena: doubles in a first phase, floats and shorts in the next */
#include <stdlib.h>
double objective(double *x, int n) {
  char *arena = malloc(64);
  double *a = (double *)arena;
  for (int i = 0; i < n; i++) a[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * a[i] * a[(i + 1) % n];
  float *f = (float *)arena;
  for (int i = 0; i < n; i++) f[i] = (float)i + 0.5f;
  double w = 0;
  for (int i = 0; i < n; i++) w += f[i];
  free(arena);
  return s * w;
}
