// check: array n=4,3 real=long
// Ten bytes of sixteen are a number: series of them behind a count, filled by copies of a length known at run time.
#include <stdlib.h>
#include <string.h>

typedef struct {
  int degree;
  long double c[];
} series;

static series *made(const long double *x, int n) {
  series *s = malloc(sizeof *s + n * sizeof(long double));
  s->degree = n - 1;
  memcpy(s->c, x, n * sizeof *x);
  return s;
}

static series *derived(const series *s) {
  series *d = malloc(sizeof *d + s->degree * sizeof(long double));
  d->degree = s->degree - 1;
  for (int i = 1; i <= s->degree; i++) d->c[i - 1] = i * s->c[i];
  return d;
}

static long double value(const series *s, long double at) {
  long double sum = 0;
  for (int i = s->degree; i >= 0; i--) sum = sum * at + s->c[i];
  return sum;
}

long double objective(const long double *x, int n) {
  series *s = made(x, n), *d = derived(s), *copy = malloc(sizeof *s + n * sizeof(long double));
  memcpy(copy, s, sizeof *s + n * sizeof(long double));
  copy->c[copy->degree] *= x[0];
  long double sum = value(s, x[1]) * value(d, x[0]) + value(copy, x[2]);
  free(s);
  free(d);
  free(copy);
  return sum;
}
