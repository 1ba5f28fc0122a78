// check: array n=8
// Indices of which less can be known than that they are in the array.
#include <stdlib.h>
typedef struct { double pos[3]; float w; int id; } P;
double objective(const double *x, int n) {
  P *p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++) { for (int a = 0; a < 3; a++) p[i].pos[a] = x[i] * (a + 1) + x[(i + a) % n]; p[i].w = 0.5f; p[i].id = i; }
  for (int i = 0; i + 1 < n; i++) if (p[i].pos[p[i].id & 1] < p[i + 1].pos[p[i].id % 3]) { P t = p[i]; p[i] = p[i + 1]; p[i + 1] = t; }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i].pos[p[i].id % 3] * p[i].pos[(p[i].id & 3) % 3] * p[i].w * p[i].pos[(p[i].id & 3) < 2 ? p[i].id & 3 : 0];
  free(p);
  return sum;
}
