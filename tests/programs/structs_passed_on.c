// check: array n=4 tol=3e-3 identity=2e-5 step=0.01
// A flag and a float in one register, moved from call to call by functions that look at neither.
#include <stdlib.h>

typedef struct {
  _Bool high;
  float level;
} gauge;

__attribute__((noinline)) static gauge made(const double *x, int n, int k) {
  return (gauge){(k + 1) & 1, (float)(x[1 % n] * x[2 % n] + 1)};
}

__attribute__((noinline)) static gauge changed(gauge g, double by) {
  g.level = g.level * g.level * 0.3f * (float)by;
  return g;
}

__attribute__((noinline)) static gauge passed(gauge g, int d, double by) { return changed(g, by + d); }
__attribute__((noinline)) static gauge chosen(gauge g, int d, double by) { return d & 1 ? changed(g, by) : g; }
__attribute__((noinline)) static double value(gauge g) { return (g.high ? 1.5 : 0.5) * g.level; }

double objective(const double *x, int n) {
  gauge a = made(x, n, 1), *kept = malloc(n * sizeof *kept);
  double sum = value(passed(passed(made(x, n, 2), 1, x[2]), 0, x[3]));
  for (int i = 0; i < n; i++) kept[i] = made(x, n, i);
  for (int i = 1; i < n; i++) kept[i] = passed(kept[i - 1], 1, x[1]);
  for (int i = 0; i < n; i++) sum += value(kept[i]) * 0.1;
  for (int i = 0; i < 3; i++) a = chosen(a, i, x[i]);
  gauge b = n > 3 ? made(x, n, 3) : a;
  if (n & 1) b = chosen(b, 1, 0.3);
  else a = b;
  free(kept);
  return sum + value(a) * value(b);
}
