// check: array n=10
// One struct of arrays of two precisions, reached by a pointer; it is copied as a whole, and parts of it are.
#include <string.h>
typedef struct { double x[6]; float f[5]; double y[6]; int steps; } S;
static S keep;
static void step(S *s, int k) { s->x[k] += 0.25 * s->y[(k + 1) % 6] * s->f[k % 5]; s->steps++; }
double objective(const double *x, int n) {
  S s, old;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < n && i < 6; i++) { s.x[i] = x[i]; s.y[i] = x[i] * x[(i + 1) % n]; }
  for (int i = 0; i < 5; i++) s.f[i] = 0.5f * (float)i;
  old = s;
  for (int i = 0; i < n; i++) { step(&s, i % 6); if (i == 3) old = s; }
  memcpy(old.y, s.x, sizeof old.y);
  keep = old;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += keep.x[i % 6] * s.y[(i + 2) % 6] + keep.y[(i * 3) % 6] * s.f[i % 5] * s.steps;
  return sum;
}
