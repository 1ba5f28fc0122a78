// check: main
// The axis is an argument, and a remainder of it is taken; elements are swapped as bytes.
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef struct { double pos[3]; float mass; } P;
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static void swap(P *a, P *b) { P t; memcpy(&t, a, sizeof t); memcpy(a, b, sizeof t); memcpy(b, &t, sizeof t); }
double f(P *p, int n, int axis) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (p[j].pos[(unsigned)axis % 3] < p[i].pos[(unsigned)axis % 3]) swap(&p[i], &p[j]);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i].mass * p[i].pos[(unsigned)axis % 3] * p[(i + 1) % n].pos[0] * (i + 1);
  return sum;
}
static void fill(P *p, int n) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < 3; a++) p[i].pos[a] = sin(1.7 * (i + 1) + 2.3 * a * (i + 2));
    p[i].mass = 0.5f + 0.25f * (float)(i % 3);
  }
}
#define N 5
int main(void) {
  int bad = 0;
  for (int axis = 0; axis < 3; axis++) {
  P p[N], b[N] = {0};
  fill(p, N);
  __enzyme_autodiff((void *)f, enzyme_dup, p, b, enzyme_const, N, enzyme_const, axis);
  for (int k = 0; k < N; k++)
    for (int a = 0; a < 4; a++) {
      P q[N], d[N] = {0};
      fill(q, N);
      if (a < 3) d[k].pos[a] = 1; else d[k].mass = 1;
      double forward = __enzyme_fwddiff((void *)f, enzyme_dup, q, d, enzyme_const, N, enzyme_const, axis);
      double h = a < 3 ? 1e-6 : 1e-3, v[2];
      for (int s = 0; s < 2; s++) {
        fill(q, N);
        if (a < 3) q[k].pos[a] += s ? h : -h; else q[k].mass += (float)(s ? h : -h);
        v[s] = f(q, N, axis);
      }
      double differences = (v[1] - v[0]) / (2 * h);
      double reverse = a < 3 ? b[k].pos[a] : b[k].mass;
      if (fabs(forward - differences) > 2e-3 * (1 + fabs(differences)) ||
          fabs(forward - reverse) > (a < 3 ? 1e-12 : 1e-5) * (1 + fabs(forward))) {
        printf("%d %d: %g %g %g\n", k, a, forward, reverse, differences);
        bad = 1;
      }
    }
  }
  return bad;
}
