// check: array n=4 range=0.6:1.9 tol=1e-6
/* reduced: memory used for indices, then for doubles: the derivative reads the indices again */
#include <stdlib.h>
double objective(double *x, int n) {
  int *k = malloc(8 * n);
  double s = 0;
  for (int i = 0; i < n; i++) k[i] = (i * 3 + 1) % n;
  for (int i = 0; i < n; i++) s += x[k[i]] * x[k[i]] * (i + 1);
  double *w = (double *)k;
  for (int i = 0; i < n; i++) w[i] = x[i] * 2;
  for (int i = 0; i < n; i++) s += w[i] * w[i];
  free(k);
  return s;
}
