// check: array n=3
// An object is made where another one was, behind another argument.
#include <cmath>
#include <cstdlib>
#include <new>
struct Obj { double a, b; };
struct Cnt { long i, j; double *p; };
__attribute__((noinline)) static double turn(Obj *o, Cnt *at, double *to, int n) {
  double r = std::sin(o->a) * o->b;
  Cnt *c = new (at) Cnt{n, 1, to};
  return r + c->p[c->j] * c->i;
}
extern "C" double objective(const double *x, int n) {
  double to[3] = {x[0], x[1] * x[1], x[2]};
  void *k = std::malloc(sizeof(Cnt));
  Obj *o = new (k) Obj{x[0] * x[1], x[2]};
  double s = turn(o, (Cnt *)k, to, n);
  std::free(k);
  return s;
}
