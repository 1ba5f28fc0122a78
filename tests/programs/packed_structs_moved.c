// check: array n=4 range=0.3:1.2
// Packed structs with pointers, whose numbers lie across words, in an array that grows.
#include <stdlib.h>
#include <string.h>
#pragma pack(push, 1)
struct item { char tag; void *p; double v; };
#pragma pack(pop)
static void grow(struct item **a, int n, int more) { struct item *b = malloc((n + more) * sizeof *b); memcpy(b, *a, n * sizeof *b); free(*a); *a = b; }
double objective(const double *x, int n) {
  struct item *a = malloc(sizeof *a);
  int m = 1;
  a[0] = (struct item){1, 0, x[0]};
  for (int i = 1; i < n; i++) { grow(&a, m, 1); a[m].tag = 2; a[m].v = x[i] * a[m - 1].v; a[m].p = a; m++; }
  double s = 0;
  for (int i = 0; i < m; i++) s += a[i].v * a[i].v;
  free(a);
  return s;
}
