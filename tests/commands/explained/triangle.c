/* Sums over a triangle and over a rectangle of fixed size; elements that are given again and again. */
#include <math.h>

double triangle(const double *x, int n) {
  double sum = 0, fixed = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) sum = sin(sum * x[j]);
  for (int i = 0; i < 4; i++) fixed *= sin(fixed + sum);
  return sum * fixed;
}
