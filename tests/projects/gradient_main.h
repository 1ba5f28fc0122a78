/* Behind a function `double f(const double *x)`, `enum { N = … }` and `const double POINT[N]`: a program that compares
   reverse mode with central differences, element by element, and with forward mode along one direction. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#ifdef __cplusplus
}
#endif

static int differs(double one, double other) { return !(fabs(one - other) <= 2e-6 * (1 + fabs(other))); }

int main(void) {
  const double step = 1e-5;
  double x[N], x_bar[N] = {0}, x_dot[N], along = 0;
  int wrong = 0;
  memcpy(x, POINT, sizeof x);
  __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar);
  for (int i = 0; i < N; i++) {
    x[i] = POINT[i] + step;
    double above = f(x);
    x[i] = POINT[i] - step;
    double below = f(x);
    x[i] = POINT[i];
    double difference = (above - below) / (2 * step);
    if (differs(x_bar[i], difference)) {
      printf("element %d: reverse %.12g, difference %.12g\n", i, x_bar[i], difference);
      wrong = 1;
    }
    x_dot[i] = 1.0 / (i + 2);
    along += x_bar[i] * x_dot[i];
  }
  double forward = __enzyme_fwddiff((void *)f, enzyme_dup, x, x_dot);
  if (!(fabs(forward - along) <= 1e-10 * (1 + fabs(along)))) {
    printf("forward %.17g, reverse %.17g\n", forward, along);
    wrong = 1;
  }
  if (along == 0) {
    printf("no derivative at all\n");
    wrong = 1;
  }
  return wrong;
}
