// check: array n=3 range=0.5:1.5
#include <stdlib.h>
#include <string.h>
// A word that carries a pointer in other programs and a number here.
__attribute__((always_inline)) static inline void *packed(double v) { void *p; memcpy(&p, &v, sizeof p); return p; }
double objective(double *x, int n) {
  void **words = malloc(n * sizeof *words);
  for (int i = 0; i < n; i++) words[i] = packed(x[i] * x[i]);
  double sum = 0;
  for (int i = 0; i < n; i++) { double v; memcpy(&v, &words[i], sizeof v); sum += v * v; }
  free(words);
  return sum;
}
