#include "factor.h"

double square(double x);
double cube(double x);

double energy(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += factor * square(x[i]) + cube(sin(x[i]));
  return sum;
}
