// check: main
/* scratch given by the caller: derivative requested with enzyme_dup of the work array */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
static double f(const double *x, void *work, int n) {
  double *a = work, s = 0;
  for (int i = 0; i < n; i++) a[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += a[i] * a[i];
  long *k = work;
  for (int i = 0; i < n; i++) k[i] = 4617315517961601024 + i;
  for (int i = 0; i < n; i++) s += x[k[i] & 1] * (k[i] & 3);
  return s;
}
int main(void) {
  double x[4] = {1, 2, 3, 4}, g[4] = {0};
  void *w = malloc(32), *dw = calloc(4, 8);
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_dup, w, dw, enzyme_const, 4);
  printf("%g %g %g %g\n", g[0], g[1], g[2], g[3]);
  double want[4] = {4 + 0 + 2, 32 + 1 + 3, 108, 256};
  int bad = 0;
  for (int i = 0; i < 4; i++) bad |= fabs(g[i] - want[i]) > 1e-9;
  free(w); free(dw);
  return bad;
}
