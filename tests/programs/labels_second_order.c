// check: main
// Forward over reverse mode through copies of structs with text.
#include <math.h>
#include <stdio.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
typedef struct { double x; char label[12]; double v; int n; } P;
__attribute__((noinline)) static double f(P *a, P *b) {
  P k = *a; k.x = sin(k.x) * k.v; *a = *b; *b = k; return b->x * b->x * b->v + a->x * a->x * a->x * b->v;
}
static void grad(P *a, P *da, P *b, P *db) { __enzyme_autodiff((void *)f, enzyme_dup, a, da, enzyme_dup, b, db); }
static void set(P *a, double x, double v, const char *l) { memset(a, 0, sizeof *a); a->x = x, a->v = v; strcpy(a->label, l); a->n = 3; }
int main(void) {
  P a, b, da, db, ta, tb, tda, tdb; double h = 1e-5, u[4] = {0.3, -0.2, 0.7, 0.1};
  set(&a, 0.4, 0.9, "a"); set(&b, 0.8, 0.2, "bb"); set(&da, 0, 0, ""); set(&db, 0, 0, ""); set(&ta, u[0], u[1], ""); set(&tb, u[2], u[3], ""); set(&tda, 0, 0, ""); set(&tdb, 0, 0, "");
  da.n = db.n = ta.n = tb.n = tda.n = tdb.n = 0;
  __enzyme_fwddiff((void *)grad, enzyme_dup, &a, &ta, enzyme_dup, &da, &tda, enzyme_dup, &b, &tb, enzyme_dup, &db, &tdb);
  double g[2][4];
  for (int s = 0; s < 2; s++) { double e = s ? h : -h;
    set(&a, 0.4 + e * u[0], 0.9 + e * u[1], "a"); set(&b, 0.8 + e * u[2], 0.2 + e * u[3], "bb"); set(&da, 0, 0, ""); set(&db, 0, 0, "");
    grad(&a, &da, &b, &db); g[s][0] = da.x, g[s][1] = da.v, g[s][2] = db.x, g[s][3] = db.v; }
  double t[4] = {tda.x, tda.v, tdb.x, tdb.v};
  for (int i = 0; i < 4; i++) if (fabs(t[i] - (g[1][i] - g[0][i]) / (2 * h)) > 1e-8) { printf("%d %g %g\n", i, t[i], (g[1][i] - g[0][i]) / (2 * h)); return 1; }
  return 0;
}
