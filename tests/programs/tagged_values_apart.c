// check: array n=6 range=0.5:2.0 tol=1e-6
#include <stdint.h>
struct value { long tag; union { double d; long i; } u; };
#define NI __attribute__((noinline)) static
NI struct value num(double d) { return (struct value){0, {.d = d}}; }
NI struct value integer(long i) { struct value v; v.tag = 1; v.u.i = i; return v; }
NI double to_double(struct value v) { return v.tag ? (double)v.u.i : v.u.d; }
NI struct value add(struct value a, struct value b) {
  if (a.tag && b.tag) return integer(a.u.i + b.u.i);
  return num(to_double(a) + to_double(b));
}
NI struct value mul(struct value a, struct value b) {
  if (a.tag && b.tag) return integer(a.u.i * b.u.i);
  return num(to_double(a) * to_double(b));
}
typedef struct value (*op)(struct value, struct value);
static op const ops[] = {add, mul};
NI struct value eval(const double *x, int from, int to, int depth) {
  if (to - from == 1) return from % 3 ? num(x[from]) : integer(from + 2);
  int mid = (from + to) / 2;
  return ops[depth % 2](eval(x, from, mid, depth + 1), eval(x, mid, to, depth + 1));
}
double objective(double *x, int n) {
  struct value s = integer(0);
  for (int k = 1; k <= n; k++) s = add(s, eval(x, 0, k, k));
  return to_double(mul(s, mul(integer(2), num(x[1]))));
}
