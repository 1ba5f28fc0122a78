// check: array n=66
// Two restrict pointers to one array that is only read: their adjoints are one array, too.
typedef struct { double x, y; } P;
__attribute__((noinline)) static double energy(const P *restrict a, const P *restrict b, int m) {
  double s = 0;
  for (int i = 0; i < m; i++) s += a[i].x * b[i].x * 1.1 + 2 * a[i].y * b[i].y ;
  return s;
}
double objective(const double *x, int n) {
  double s = 0;
  for (int r = 0; r < 3; r++) s += energy((const P *)x, (const P *)(x + r), n / 2 - 2);
  return s;
}
