/* LAPACK (Fortran): a system solved with pivoting, and a determinant by Cholesky's decomposition. */
#include <string.h>
void dgesv_(int *n, int *columns, double *a, int *a_rows, int *pivots, double *b, int *b_rows, int *info);
void dpotrf_(char *half, int *n, double *a, int *rows, int *info, long half_length);

enum { M = 4, N = M * M + M };
static const double POINT[N] = {0.1, 2, 0.3, -0.4, 0.2, 3, 5, 0.7, -0.1, 0.5, 4, 1, -2, 0.5, 0.25, 1, 1, 2, -1, 0.5};

static double f(const double *x) {
  double a[M * M], gram[M * M], b[M], value = 0;
  int m = M, one = 1, pivots[M], info;
  memcpy(a, x, sizeof a);
  memcpy(b, x + M * M, sizeof b);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      gram[M * j + i] = i == j;
      for (int k = 0; k < M; k++) gram[M * j + i] += a[M * k + i] * a[M * k + j];
    }
  dgesv_(&m, &one, a, &m, pivots, b, &m, &info);
  for (int i = 0; i < M; i++) value += (i + 1) * b[i] * b[i];
  dpotrf_("L", &m, gram, &m, &info, 1);
  for (int i = 0; i < M; i++) value += 0.1 * gram[M * i + i];
  return value;
}

#include "gradient_main.h"
