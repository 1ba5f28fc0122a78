// check: main
/* reduced: relativistic energy sqrt(1 + p^2): second derivative at rest by forward over forward */
#include <math.h>
#include <stdio.h>
double __enzyme_fwddiff(void *, ...);
double energy(double p) { return sqrt(4 + p * p); }
double velocity(double p) { return __enzyme_fwddiff((void *)energy, p, 1.0); }
int main(void) {
  double inverse_mass = __enzyme_fwddiff((void *)velocity, 0.0, 1.0);
  printf("%g, expected 0.5\n", inverse_mass);
  return fabs(inverse_mass - 0.5) > 1e-12;
}
