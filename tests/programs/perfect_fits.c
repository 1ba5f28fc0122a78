// check: main
/* Hessian at a perfect fit: products with data that may be missing */
#include <math.h>
#include <stdio.h>
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
static double data[3] = {2.0, NAN, 3.0}, want[3] = {4.0, 1.0, 6.0};
double loss(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double r = data[i] * x[0] - want[i];
    s += isnan(data[i]) ? 0 : r * r;
  }
  return s;
}
void grad(const double *x, double *g, int n) { __enzyme_autodiff((void *)loss, enzyme_dup, x, g, enzyme_const, n); }
int main(void) {
  double x = 2, d = 1, g = 0, h = 0;
  __enzyme_fwddiff((void *)grad, enzyme_dup, &x, &d, enzyme_dup, &g, &h, enzyme_const, 3);
  printf("gradient %g, second derivative %g, expected 0 and 26\n", g, h);
  return fabs(h - 26) > 1e-9;
}
