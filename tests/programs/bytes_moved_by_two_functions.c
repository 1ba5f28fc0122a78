// check: array n=3 range=0.5:2.0 tol=1e-5 real=float refused=E0113@-O0+-O1+-O2+-O2-fno-inline,E0141@-O3
#include <string.h>
struct bytes { char a, b, c, d; };
__attribute__((noinline)) static void low(struct bytes *t, const struct bytes *f) { t->a = f->a; t->c = f->c; }
__attribute__((noinline)) static void high(struct bytes *t, const struct bytes *f) { t->b = f->b; t->d = f->d; }
float objective(float *x, int n) {
  struct bytes from, to;
  float v = x[0] * x[1];
  memcpy(&from, &v, sizeof v);
  low(&to, &from);
  high(&to, &from);
  memcpy(&v, &to, sizeof v);
  return v * x[2];
}
