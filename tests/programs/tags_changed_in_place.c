// check: array n=6 range=0.5:2.0 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
/* A tag in the last bit of an address is changed in place, and addresses are followed through such words: the shadow
   would have to get the same tag. */
#include <stdint.h>
#include <stdlib.h>

struct item { uintptr_t parent_colour; double value; };

double objective(double *x, int n) {
  struct item *items = calloc(n, sizeof *items);
  for (int i = 0; i < n; i++) {
    items[i].value = x[i] * x[i];
    items[i].parent_colour = (uintptr_t)(i ? &items[i - 1] : NULL);
  }
  for (int i = 1; i < n; i++) items[i].parent_colour = (items[i].parent_colour & ~(uintptr_t)1) | (uintptr_t)(i & 1);
  double sum = 0;
  for (struct item *p = &items[n - 1]; p; p = (struct item *)(p->parent_colour & ~(uintptr_t)1)) sum += p->value;
  free(items);
  return sum;
}
