// check: array n=4
// Links of a list whose lowest bit is a tag that is made by comparing active numbers, put in with two statements.
#include <stdint.h>
#include <stdlib.h>
struct node { uintptr_t link; double value; };
double objective(const double *x, int n) {
  struct node *root = NULL;
  for (int i = 0; i < n; i++) {
    struct node *e = calloc(1, sizeof *e);
    e->value = x[i];
    e->link = (uintptr_t)root; e->link = (e->link & ~(uintptr_t)1) | (uintptr_t)(x[i] > 1);
    root = e;
  }
  double c = 0;
  for (struct node *h = root, *t; h; h = t) { c = c * 0.5 + h->value; t = (struct node *)(h->link & ~(uintptr_t)1); free(h); }
  return c;
}
