// check: main flags=-Itests/support,-g,-Wno-everything
/* An array of any type, told by a tag as NumPy does it. */
#include "expect.h"
extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
enum type { INT, DOUBLE };
static double weight(const void *w, enum type t, int i) { return t == INT ? ((const int *)w)[i] : ((const double *)w)[i]; }
static double loss(const double *x, int n, const void *w, enum type t) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * weight(w, t, i);
  return s;
}
int main(void) {
  double x[3] = {1, 2, 3}, g[3] = {0}, h[3] = {0};
  int w[3] = {1, 2, 3};
  double v[3] = {0.5, 1.5, 2.5};
  __enzyme_autodiff((void *)loss, enzyme_dup, x, g, 3, enzyme_const, w, INT); EXPECT(g[1], 8);
  __enzyme_autodiff((void *)loss, enzyme_dup, x, h, 3, enzyme_const, v, DOUBLE); EXPECT(h[1], 6);
  return expect_failures;
}
