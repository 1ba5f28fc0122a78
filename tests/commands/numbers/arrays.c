/* Functions that take strides, and arrays in either order. */

double dot(int n, const double *x, int incx, const double *y, int incy) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i * incx] * x[i * incx] * y[i * incy];
  return sum;
}

void axpy(int n, double a, const double *x, int incx, double *y, int incy) {
  for (int i = 0; i < n; i++) y[i * incy] += a * x[i * incx] * x[i * incx];
}

/* Rows of a: sums of squares, and what they come to. */
double rows(int m, int n, const double *a, int lda, double *y, int incy) {
  double sum = 0;
  for (int i = 0; i < m; i++) {
    double row = 0;
    for (int j = 0; j < n; j++) row += (j + 1) * a[i * lda + j] * a[i * lda + j];
    y[i * incy] = row;
    sum += row * row;
  }
  return sum;
}

/* As LAPACK has it: columns lie one behind the other. */
void product(int m, int n, const double *a, int lda, const double *x, double *y) {
  for (int i = 0; i < m; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += a[i + j * lda] * a[i + j * lda] * x[j];
  }
}

double general(const double *a, long rs, long cs, int m, int n) {
  double sum = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) sum += (i + 2 * j + 1) * a[i * rs + j * cs] * a[i * rs + j * cs];
  return sum;
}

/* Both matrices have rows of the same stride. */
double both(int m, int n, const double *a, const double *b, int ld) {
  double sum = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) sum += a[i * ld + j] * a[i * ld + j] * b[i * ld + j];
  return sum;
}

double cube(const double *t, int k, int m, int n) {
  double sum = 0;
  for (int i = 0; i < k * m * n; i++) sum += (i + 1) * t[i] * t[i];
  return sum;
}

double one(const double *x) { return x[0] * x[0]; }
