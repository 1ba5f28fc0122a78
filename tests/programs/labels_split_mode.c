// check: main
// Structs with text in the caller's memory in split mode: shadows that were made by copying.
#include <math.h>
#include <stdio.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
typedef struct { double x; char label[12]; double v; int n; } P;
__attribute__((noinline)) static void f(P *a, P *b) { P k = *a; k.x = sin(k.x) * k.v; *a = *b; *b = k; }
static void set(P *a, double x, double v, const char *l) { memset(a, 0, sizeof *a); a->x = x, a->v = v; strcpy(a->label, l); }
int main(void) {
  P a, b, da, db;
  set(&a, 0.4, 0.9, "a"); set(&b, 0.8, 0.2, "bb"); set(&da, 0, 0, "a"); set(&db, 0, 0, "bb");
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, &a, &da, enzyme_dup, &b, &db);
  da.x = 2; db.x = 1; db.v = 3;
  __enzyme_reverse((void *)f, enzyme_dup, &a, &da, enzyme_dup, &b, &db, tape);
  if (fabs(da.x - cos(0.4) * 0.9) + fabs(da.v - sin(0.4) - 3) + fabs(db.x - 2) + fabs(db.v) > 1e-12) { printf("%g %g %g %g\n", da.x, da.v, db.x, db.v); return 1; }
  return 0;
}
