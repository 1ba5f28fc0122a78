// check: main
// Which gradient is asked for is decided while the program runs: LLVM makes a table of the switch; the program has one, too.
#include <math.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
static double g(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
static double h(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i]; return s; }
static double k(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
__attribute__((noinline)) static void chosen(int m, const double *x, double *dx, int n) {
  if (m == 1) __enzyme_autodiff((void *)g, enzyme_dup, x, dx, enzyme_const, n);
  if (m == 2) __enzyme_autodiff((void *)h, enzyme_dup, x, dx, enzyme_const, n);
  if (m == 3) __enzyme_autodiff((void *)k, enzyme_dup, x, dx, enzyme_const, n);
}
__attribute__((noinline)) static void from_table(int m, const double *x, double *dx, int n) {
  static double (*const table[])(const double *, int) = {g, h, k};
  __enzyme_autodiff((void *)table[m - 1], enzyme_dup, x, dx, enzyme_const, n);
}
static int differs(int m, const double *x, const double *dx) {
  for (int i = 0; i < 3; i++) {
    double right = m == 1 ? 2 * x[i] : m == 2 ? 3 * x[i] * x[i] : 1;
    if (!(fabs(dx[i] - right) < 1e-12)) return 1;
  }
  return 0;
}
int main(int argc, char **argv) {
  double x[3] = {1, 2, 3};
  (void)argv;
  for (int m = 1; m <= 3; m++) {
    double one[3] = {0}, other[3] = {0};
    chosen(m + argc - 1, x, one, 3);
    from_table(m + argc - 1, x, other, 3);
    if (differs(m, x, one) || differs(m, x, other)) return 1;
  }
  return 0;
}
