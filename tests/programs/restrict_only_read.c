// check: array n=66
// Two restrict pointers to one array that is only read: their adjoints are one array, too.
typedef struct { double x, y, z; } P;
__attribute__((noinline)) static double energy(const P *restrict a, const P *restrict b, int m) {
  double s = 0;
  for (int i = 0; i < m; i++) s += a[i].x * b[i].x + 2 * a[i].y * b[i].y + 0.3 * a[i].z * b[i].z;
  return s;
}
double objective(const double *x, int n) {
  const P *p = (const P *)x;
  double s = 0;
  for (int r = 0; r < 2; r++) for (int q = 0; q < 2; q++) s += energy(p + r * (n / 6), p + q * (n / 6), n / 6);
  return s;
}
