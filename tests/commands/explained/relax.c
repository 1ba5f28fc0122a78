/* Relaxation: arrays in place, a division, a branch, a loop without a count. */
#include <math.h>

double relax(const double *x, double *y, int n, int sweeps, double h) {
  double sum = 0;
  for (int t = 0; t < sweeps; t++)
    for (int i = 1; i < n; i++) {
      double e = exp(x[i]);
      y[i] = y[i] * y[i] + e / h;
      sum += e * y[i];
      if (sum > 3) sum = sin(sum);
    }
  double rest = sum;
  while (rest > 1e-3) rest = 0.5 * rest * rest;
  return rest;
}
