// check: array n=3 range=0.4:1.4
#include <stdlib.h>
// Tagged values: counts are summed, and the values weighted by their sum.
typedef struct { int tag; union { long count; double value; } u; } item;
double objective(double *x, int n) {
  item *list = malloc(n * sizeof *list);
  for (int i = 0; i < n; i++) {
    if (i == 1) { list[i].tag = 0; list[i].u.count = i + 2; }
    else { list[i].tag = 1; list[i].u.value = x[i]; }
  }
  long count = 0;
  for (int i = 0; i < n; i++) count += list[i].tag == 0 ? list[i].u.count : 0;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += list[i].tag == 1 ? list[i].u.value * list[i].u.value : 1;
  free(list);
  return sum * (double)count;
}
