// check: array n=8
// A short vector is read again out of a long one.
typedef double v4 __attribute__((vector_size(32), aligned(8)));
typedef double v2 __attribute__((vector_size(16), aligned(8)));
double objective(const double *x, int n) {
  v4 a = *(const v4 *)x; v2 p = *(const v2 *)(x + 2);
  return a[0] * a[1] + p[0] * p[1] * a[2];
}
