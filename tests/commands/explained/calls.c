/* Calls with tapes of their own, in a loop and of themselves; numbers without derivatives. */
#include <math.h>

__attribute__((noinline)) static double step(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    x[i] = x[i] * exp(-x[i]);
    sum += x[i];
  }
  return sum;
}

__attribute__((noinline)) static double power(double x, int n) {
  if (n == 0) return 1;
  return n % 2 ? x * power(x, n - 1) : power(x * x, n / 2);
}

double run(double *x, int n, int steps, double scale) {
  double sum = 0, seen = 0;
  for (int t = 0; t < steps; t++) {
    sum += step(x, n) * power(sum, 3);
    seen += sqrt(scale);
  }
  return sum * seen;
}
