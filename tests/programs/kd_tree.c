// check: main
// A k-d tree by swaps of elements in the caller's memory, whose coordinates lie beside a float; read at a variable axis.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { double pos[3]; float mass; } P;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static void swap(P *a, P *b) { P t = *a; *a = *b; *b = t; }
static void build(P *p, int lo, int hi, int axis) {
  if (hi - lo < 2) return;
  int mid = (lo + hi) / 2;
  for (int i = lo; i <= mid; i++) {
    int best = i;
    for (int j = i + 1; j < hi; j++)
      if (p[j].pos[axis] < p[best].pos[axis]) best = j;
    if (best != i) swap(&p[i], &p[best]);
  }
  build(p, lo, mid, (axis + 1) % 3);
  build(p, mid + 1, hi, (axis + 1) % 3);
}
double f(P *p, int n) {
  build(p, 0, n, 0);
  double sum = 0;
  for (int i = 0; i + 1 < n; i++)
    for (int a = 0; a < 3; a++) {
      double d = p[i].pos[a] - p[i + 1].pos[(a + i) % 3];
      sum += p[i].mass * d * d * p[i + 1].mass;
    }
  return sum;
}
static void fill(P *p, int n) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) p[i].pos[a] = sin(1.7 * (i + 1) + 2.3 * a * (i + 2));
    p[i].mass = 0.5f + 0.25f * (float)(i % 3);
  }
}
#define N 7
int main(void) {
  P p[N], b[N] = {0};
  int bad = 0;
  fill(p, N);
  __enzyme_autodiff((void *)f, enzyme_dup, p, b, enzyme_const, N);
  for (int k = 0; k < N; k++)
    for (int a = 0; a < 4; a++) {
      P q[N], d[N] = {0};
      fill(q, N);
      if (a < 3) d[k].pos[a] = 1; else d[k].mass = 1;
      double forward = __enzyme_fwddiff((void *)f, enzyme_dup, q, d, enzyme_const, N);
      double h = a < 3 ? 1e-6 : 1e-3, v[2];
      for (int s = 0; s < 2; s++) {
        fill(q, N);
        if (a < 3) q[k].pos[a] += s ? h : -h; else q[k].mass += (float)(s ? h : -h);
        v[s] = f(q, N);
      }
      double differences = (v[1] - v[0]) / (2 * h);
      double reverse = a < 3 ? b[k].pos[a] : b[k].mass;
      if (fabs(forward - differences) > 2e-3 * (1 + fabs(differences)) ||
          fabs(forward - reverse) > (a < 3 ? 1e-12 : 1e-5) * (1 + fabs(forward))) {
        printf("%d %d: %g %g %g\n", k, a, forward, reverse, differences);
        bad = 1;
      }
    }
  return bad;
}
