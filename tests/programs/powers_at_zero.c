// check: main
/* reduced: polynomial by pow(x, i): Hessian at 0 by forward over reverse */
#include <math.h>
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double f(double x) { double s = 0; for (int i = 0; i < 4; i++) s += pow(x, i); return s; }
double f1(double x) { return __enzyme_autodiff((void *)f, x); }
int main(void) {
  double h = __enzyme_fwddiff((void *)f1, 0.0, 1.0);
  printf("%g, expected 2\n", h);
  return fabs(h - 2) > 1e-9;
}
