// check: array n=4 range=0.6:1.9 tol=1e-6
/* realistic: LAPACK-like workspace of one malloc, int pivots overlay in time the doubles of the norm computation */
#include <stdlib.h>
#include <math.h>
static double norm1(const double *a, int n, double *work) {
  for (int j = 0; j < n; j++) { work[j] = 0; for (int i = 0; i < n; i++) work[j] += a[i + j * n] * a[i + j * n]; }
  double m = 0;
  for (int j = 0; j < n; j++) m += sqrt(work[j]) * work[j];
  return m;
}
static void lu(double *a, int n, int *piv) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++) if (fabs(a[i + k * n]) > fabs(a[p + k * n])) p = i;
    piv[k] = p;
    for (int j = 0; j < n; j++) { double t = a[k + j * n]; a[k + j * n] = a[p + j * n]; a[p + j * n] = t; }
    for (int i = k + 1; i < n; i++) { a[i + k * n] /= a[k + k * n]; for (int j = k + 1; j < n; j++) a[i + j * n] -= a[i + k * n] * a[k + j * n]; }
  }
}
static void solve(const double *a, int n, const int *piv, double *b) {
  for (int k = 0; k < n; k++) { double t = b[k]; b[k] = b[piv[k]]; b[piv[k]] = t; }
  for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) b[i] -= a[i + j * n] * b[j];
  for (int i = n - 1; i >= 0; i--) { for (int j = i + 1; j < n; j++) b[i] -= a[i + j * n] * b[j]; b[i] /= a[i + i * n]; }
}
double objective(double *x, int n) {
  double *a = malloc(n * n * sizeof *a), *b = malloc(n * sizeof *b);
  void *work = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) { b[i] = x[i]; for (int j = 0; j < n; j++) a[i + j * n] = cos(i * j + 1.0) + x[i] * x[j] * 0.3 + (i == (j + 1) % n) * 3; }
  double an = norm1(a, n, work);
  lu(a, n, work);
  solve(a, n, work, b);
  double bn = norm1(a, n, work);
  double s = an * 0.1 + bn * 0.1;
  for (int i = 0; i < n; i++) s += b[i] * b[i] * (i + 1);
  free(a); free(b); free(work);
  return s;
}
