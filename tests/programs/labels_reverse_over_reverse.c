// check: main
// Reverse over reverse mode through copies of structs with text.
#include <math.h>
#include <stdio.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
typedef struct { double x; char label[12]; double v; int n; } P;
__attribute__((noinline)) static double f(P *a, P *b) {
  P k = *a; k.x = sin(k.x) * k.v; *a = *b; *b = k; return b->x * b->x * b->v + a->x * a->x * a->x * b->v;
}
static double dot(P *a, P *b, const double *u) { P da, db; memset(&da, 0, sizeof da); memset(&db, 0, sizeof db);
  __enzyme_autodiff((void *)f, enzyme_dup, a, &da, enzyme_dup, b, &db); return da.x * u[0] + da.v * u[1] + db.x * u[2] + db.v * u[3]; }
static void set(P *a, double x, double v, const char *l) { memset(a, 0, sizeof *a); a->x = x, a->v = v; strcpy(a->label, l); }
int main(void) {
  P a, b, da, db; double h = 1e-5, u[4] = {0.3, -0.2, 0.7, 0.1}, q[4] = {0.4, 0.9, 0.8, 0.2};
  set(&a, q[0], q[1], "a"); set(&b, q[2], q[3], "bb"); set(&da, 0, 0, ""); set(&db, 0, 0, "");
  __enzyme_autodiff((void *)dot, enzyme_dup, &a, &da, enzyme_dup, &b, &db, enzyme_const, u);
  double t[4] = {da.x, da.v, db.x, db.v};
  for (int i = 0; i < 4; i++) { double g[2];
    for (int s = 0; s < 2; s++) { double w[4]; memcpy(w, q, sizeof q); w[i] += s ? h : -h; set(&a, w[0], w[1], "a"); set(&b, w[2], w[3], "bb"); g[s] = dot(&a, &b, u); }
    if (fabs(t[i] - (g[1] - g[0]) / (2 * h)) > 1e-8) { printf("%d %g %g\n", i, t[i], (g[1] - g[0]) / (2 * h)); return 1; } }
  return 0;
}
