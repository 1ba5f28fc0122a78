// Differentiates through the installed library, of which it has the header alone.
#include "springs.h"

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

double __attribute__((noinline)) twice(const double *x, int n) { return 2 * energy(x, n, 3.0); }

int main(void) {
  double x[3] = {0, 2, 3}, x_bar[3] = {0};
  __enzyme_autodiff((void *)twice, enzyme_dup, x, x_bar, enzyme_const, 3);
  return !(x_bar[0] == -6 && x_bar[1] == 6 && x_bar[2] == 0);
}
