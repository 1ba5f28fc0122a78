#include "springs.h"

double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) sum += spring_energy(x[i + 1] - x[i] - REST_LENGTH, k);
  return sum;
}
