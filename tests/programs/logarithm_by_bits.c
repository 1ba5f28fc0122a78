// check: array n=3 range=0.6:1.9 tol=5e-2 real=float refused=E0111
/* The bits of squares taken as a count: nearly their logarithm. */
#include <stdint.h>
#include <stdlib.h>
static inline float fastlog2(float v) {
  union { float f; uint32_t i; } u = {v};
  float y = u.i;
  return y * 1.1920928955078125e-7f - 126.94269504f;
}
float objective(float *x, int n) {
  float s = 0, *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++) w[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += fastlog2(w[(i + 1) % n]) * (i + 1);
  free(w);
  return s;
}
