// check: array n=4 range=0.6:1.9 tol=1e-6
/* struct of numbers copied over by a struct of indices in the same block, by whole assignments in loops */
#include <stdlib.h>
struct num { double a, b; };
struct idx { long i, j; };
double objective(double *x, int n) {
  void *block = malloc(n * sizeof(struct num));
  struct num *p = block;
  double s = 0;
  for (int i = 0; i < n; i++) p[i] = (struct num){x[i] * x[i], x[(i + 1) % n]};
  for (int i = 0; i < n; i++) s += p[i].a * p[i].b * p[i].b;
  struct idx *q = block;
  for (int i = 0; i < n; i++) q[i] = (struct idx){(i * 3 + 1) % n, 4617315517961601024};
  for (int i = 0; i < n; i++) s += x[q[i].i] * x[i] * (q[i].j & 3);
  for (int i = 0; i < n; i++) s += x[q[i].i] * s * 0.1;
  p = block;
  for (int i = 0; i < n; i++) p[i] = (struct num){s, x[i]};
  for (int i = 0; i < n; i++) s += p[i].a * p[i].b;
  free(block);
  return s;
}
