// check: array n=4,2
#include <stdlib.h>
// Loops that copy elements of flexible arrays, which optimisers make copies of bytes of.
typedef struct level { double qty; long height; struct level *up[]; } level;
typedef struct strip { long n; struct strip *next; double gain; float cells[]; } strip;
__attribute__((noinline)) static void unlink_first(level *side, level *l) {
  for (int h = 0; h < l->height; h++) side->up[h] = l->up[h];
}
__attribute__((noinline)) static void fill(strip *to, const strip *from) {
  for (int i = 0; i < from->n; i++) to->cells[i] = from->cells[i];
}
double objective(const double *x, int n) {
  double sum = 0;
  level *side = calloc(1, sizeof *side + 4 * sizeof *side->up), *l;
  for (int i = 0; i < n; i++) {
    int height = 1 + i % 3;
    l = calloc(1, sizeof *l + height * sizeof *l->up);
    l->height = height; l->qty = x[i] * x[i];
    for (int h = 0; h < height; h++) { l->up[h] = side->up[h]; side->up[h] = l; }
  }
  while ((l = side->up[0])) {
    sum = sum * x[0] + l->qty;
    unlink_first(side, l);
    free(l);
  }
  free(side);
  strip *a = calloc(1, sizeof *a + n * sizeof *a->cells), *b = calloc(1, sizeof *b + n * sizeof *b->cells);
  a->n = b->n = n; a->next = b; b->next = NULL; a->gain = x[0]; b->gain = x[n - 1];
  for (int i = 0; i < n; i++) a->cells[i] = 0.25f * i;
  fill(b, a);
  for (strip *s = a; s; s = s->next) for (int i = 0; i < n; i++) sum += s->cells[i] * s->gain * x[i];
  free(a); free(b);
  return sum;
}
