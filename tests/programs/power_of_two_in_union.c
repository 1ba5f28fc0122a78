// check: array n=3 range=0.5:2.0 tol=1e-6
/* the exponent of 2 rounded from a number: constant between jumps; a union filled in one function */
#include <stdint.h>
struct scale { union { double d; uint64_t i; } u; };
__attribute__((noinline)) static void set(struct scale *a, double v) { a->u.i = (uint64_t)((int64_t)(v * 3) + 1023) << 52; }
double objective(double *x, int n) {
  struct scale a;
  double s = 0;
  for (int i = 0; i < n; i++) { set(&a, x[i]); s += x[i] * a.u.d; }
  return s;
}
