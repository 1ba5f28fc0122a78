/* BLAS (Fortran): a quadratic form after a triangular solve, by the matrix and the vector. */
double ddot_(int *n, double *x, int *x_step, double *y, int *y_step);
double dnrm2_(int *n, double *x, int *x_step);
void dgemv_(char *trans, int *m, int *n, double *alpha, double *a, int *rows, double *x, int *x_step, double *beta,
            double *y, int *y_step, long trans_length);
void dgemm_(char *trans_a, char *trans_b, int *m, int *n, int *k, double *alpha, double *a, int *a_rows, double *b,
            int *b_rows, double *beta, double *c, int *c_rows, long, long);
void dtrsv_(char *half, char *trans, char *diagonal, int *n, double *a, int *rows, double *x, int *x_step, long, long,
            long);

enum { M = 3, N = M * M + M };
static const double POINT[N] = {2, 0.3, -0.4, 0.2, 3, 0.7, -0.1, 0.5, 4, 1, -2, 0.5};

static double f(const double *x) {
  double a[M * M], b[M], c[M * M] = {0}, y[M], one = 1, zero = 0;
  int m = M, step = 1;
  for (int i = 0; i < M * M; i++) a[i] = x[i];
  for (int i = 0; i < M; i++) b[i] = x[M * M + i];
  dgemm_("N", "T", &m, &m, &m, &one, a, &m, a, &m, &zero, c, &m, 1, 1);
  dtrsv_("L", "N", "N", &m, a, &m, b, &step, 1, 1, 1);
  dgemv_("N", &m, &m, &one, c, &m, b, &step, &zero, y, &step, 1);
  return ddot_(&m, b, &step, y, &step) + dnrm2_(&m, y, &step);
}

#include "gradient_main.h"
