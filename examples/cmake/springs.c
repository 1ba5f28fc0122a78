#include "springs.h"

double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    double stretch = x[i + 1] - x[i] - REST_LENGTH;
    sum += 0.5 * k * stretch * stretch;
  }
  return sum;
}

void force(const double *x, double *restrict f, int n, double k) {
  for (int i = 0; i < n; i++) f[i] = 0;
  for (int i = 0; i + 1 < n; i++) {
    double pull = k * (x[i + 1] - x[i] - REST_LENGTH);
    f[i] += pull;
    f[i + 1] -= pull;
  }
}
