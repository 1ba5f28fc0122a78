// check: main
// Structs with text in the caller's memory, several adjoints at once; one shadow was made by copying.
#include <math.h>
#include <stdio.h>
#include <string.h>
extern int enzyme_dup, enzyme_const, enzyme_width;
extern double __enzyme_autodiff(void *, ...);
typedef struct { int id; char label[12]; double x, v; } P;
__attribute__((noinline)) static void shuffle(P *a, P *b, int n, double *out) {
  for (int i = 0; i < n; i++) { P p = a[i]; p.x = sin(p.x) * p.v; b[(i + 1) % n] = p; }
  for (int i = 0; i < n; i++) { a[i] = b[i]; out[0] += a[i].x * (i + 1); out[1] += a[i].x * a[i].v; }
}
int main(void) {
  P a[3], b[3], a0[3], a1[3], b0[3], b1[3];
  memset(b, 0, sizeof b);
  for (int i = 0; i < 3; i++) { memset(&a[i], 0, sizeof(P)); a[i].id = i; strcpy(a[i].label, "atom"); a[i].x = 0.3 + i; a[i].v = 1.0 - 0.2 * i; }
  memcpy(a0, a, sizeof a); memcpy(b0, b, sizeof b);
  for (int i = 0; i < 3; i++) a0[i].x = a0[i].v = 0;
  memset(a1, 0, sizeof a1); memset(b1, 0, sizeof b1);
  double out[2] = {0, 0}, o0[2] = {1, 0}, o1[2] = {0, 1};
  __enzyme_autodiff((void *)shuffle, enzyme_width, 2, enzyme_dup, a, a0, a1, enzyme_dup, b, b0, b1, enzyme_const, 3, enzyme_dup, out, o0, o1);
  for (int i = 0; i < 3; i++) {
    double x = 0.3 + i, v = 1.0 - 0.2 * i; int to = (i + 1) % 3;
    double ex = cos(x) * v * (to + 1), ev = sin(x) * (to + 1), fx = cos(x) * v * v, fv = 2 * sin(x) * v;
    if (fabs(a0[i].x - ex) + fabs(a0[i].v - ev) + fabs(a1[i].x - fx) + fabs(a1[i].v - fv) > 1e-12) { printf("%d %g %g %g %g\n", i, a0[i].x - ex, a0[i].v - ev, a1[i].x - fx, a1[i].v - fv); return 1; }
  }
  return 0;
}
