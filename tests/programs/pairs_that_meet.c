// check: array n=64 flags=-mavx2
// Members of pairs, one of which another index may be: loops of the reverse sweep must not be told apart there.
__attribute__((noinline)) static void f(double *z, int m, long k) {
  if (k >= 0 && k < 2)
    for (int i = 0; i < m; i++) {
      z[2 * i] = z[2 * i] * 1.1;
      z[2 * i + k] = z[2 * i + k] * 1.5 + 0.3;
      z[2 * i + 1] = z[2 * i + 1] * 0.7;
    }
}
double objective(const double *x, int n) {
  double z[64], s = 0;
  for (int i = 0; i < n; i++) z[i] = x[i];
  f(z, n / 2, n - 64), f(z, n / 2, n - 63);
  for (int i = 0; i < n; i++) s += z[i] * z[i];
  return s * 0.1;
}
