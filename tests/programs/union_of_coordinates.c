// check: array n=8 
// A union of an array and named coordinates, beside a float.
#include <stdlib.h>
typedef struct { union { struct { double x, y, z; }; double v[3]; }; float w; } P;
double objective(const double *x, int n) {
  P *p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++) { p[i].x = x[i]; p[i].y = x[i] * 2; p[i].z = x[i] * x[i]; p[i].w = 0.5f; }
  for (int i = 0; i + 1 < n; i++) { P t = p[i]; p[i] = p[i + 1]; p[i + 1] = t; }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i].v[i % 3] * p[i].w * p[i].y;
  free(p);
  return sum;
}
