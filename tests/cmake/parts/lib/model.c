#include "factor.h"

double square(double x);
double cube(double x);
int units(void);

double energy(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += factor * units() * square(x[i]) + cube(sin(x[i]));
  return sum;
}
