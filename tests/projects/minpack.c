/* MINPACK (Fortran): the norm of a vector, and the root that Powell's method finds of a system with parameters. */
typedef void system_of_equations(int *n, double *x, double *values, double *jacobian, int *rows, int *flag);
double enorm_(int *n, double *x);
void hybrj1_(system_of_equations *, int *n, double *x, double *values, double *jacobian, int *rows, double *tolerance,
             int *info, double *work, int *length);

static double radius, product;

static void circle_and_hyperbola(int *n, double *x, double *values, double *jacobian, int *rows, int *flag) {
  (void)n;
  if (*flag == 2) {
    jacobian[0] = 2 * x[0], jacobian[*rows] = 2 * x[1];
    jacobian[1] = x[1], jacobian[*rows + 1] = x[0];
  } else {
    values[0] = x[0] * x[0] + x[1] * x[1] - radius * radius;
    values[1] = x[0] * x[1] - product;
  }
}

enum { N = 2 };
static const double POINT[N] = {2, 1};

static double f(const double *x) {
  double root[2] = {1.5, 0.4}, values[2], jacobian[4], work[30], tolerance = 1e-14;
  int n = 2, rows = 2, length = 30, info;
  radius = x[0], product = x[1];
  hybrj1_(circle_and_hyperbola, &n, root, values, jacobian, &rows, &tolerance, &info, work, &length);
  root[0] *= 3;
  return enorm_(&n, root);
}

#include "gradient_main.h"
