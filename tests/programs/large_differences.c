// check: array n=2 range=1.5:2.0 tol=1e-6
/* A number that is larger than 2^53 less 2^52: nothing is rounded. */
double objective(double *x, int n) {
  double ticks = x[0] * 1e16;
  double since = ticks - 4503599627370496.0;
  return since * 1e-16 * x[1];
}
