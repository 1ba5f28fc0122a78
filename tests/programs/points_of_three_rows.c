// check: array n=72
// Points of three coordinates, rows of points; energy between rows, and of a row with itself.
__attribute__((noinline)) static double energy(int rows, int m, const double x[rows][m][3]) {
  double s = 0;
  for (int r = 0; r < rows; r++)
    for (int q = r; q < rows; q++)
      for (int i = 0; i < m; i++)
        s += x[r][i][0] * x[q][i][0] + 2 * x[r][i][1] * x[q][i][1] + 0.3 * x[r][i][2] * x[q][i][2];
  return s;
}
double objective(const double *x, int n) {
  return 1e-1 * energy(3, n / 9, (const double(*)[n / 9][3])x);
}
