// check: array n=3 range=0.6:1.9 tol=5e-2 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
/* Union in an array of the program's own: the number is written in one loop, its bits are a count in the next. */
#include <stdint.h>
union word { double d; int64_t i; };
double objective(double *x, int n) {
  union word t[3];
  double s = 0;
  for (int i = 0; i < n; i++) t[i].d = x[i] * x[i];
  for (int i = 0; i < n; i++) s += ((double)t[i].i * 2.220446049250313e-16 - 1023.0) * (i + 1);
  return s;
}
