// check: array n=6 tol=1e-4 identity=1e-5
// Arrays of run-time length behind members of other types, copied as a whole: by memcpy, memmove and loops.
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double offset;
  float scale;
  short count;
  double items[];
} Series;

typedef struct {
  double weight;
  int parity;
} Term;

typedef struct {
  long count;
  const double *source;
  float scale;
  Term terms[];
} Sum;

typedef struct {
  double *values;
  double factor;
  int count;
  char order[];
} Permuted;

__attribute__((noinline)) static Series *grown(const Series *from, int room) {
  Series *to = calloc(1, sizeof *to + (from->count + room) * sizeof to->items[0]);
  memcpy(to, from, sizeof *from + from->count * sizeof from->items[0]);
  return to;
}

__attribute__((noinline)) static void move_bytes(void *to, const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at++)
    ((char *)to)[at] = ((const char *)from)[at];
}

static double series(const double *x, int n) {
  Series *s = malloc(sizeof *s + n * sizeof s->items[0]);
  s->offset = x[0] * x[1];
  s->scale = (float)x[2];
  s->count = (short)n;
  for (int i = 0; i < n; i++)
    s->items[i] = sin(x[i]);
  for (int t = 0; t < 3; t++) {
    Series *next = grown(s, t);
    next->items[t] *= s->offset;
    next->offset += next->items[(t + 1) % n] * s->scale;
    next->scale *= 0.5f;
    free(s);
    s = next;
  }
  double total = s->offset + s->scale * s->scale;
  for (int i = 0; i < s->count; i++)
    total += s->items[i] * s->items[i];
  free(s);
  return total;
}

static double sum(const double *x, int n) {
  size_t size = sizeof(Sum) + n * sizeof(Term);
  Sum *s = malloc(size), *other = malloc(size);
  s->count = n;
  s->source = x;
  s->scale = (float)x[1];
  for (int i = 0; i < n; i++)
    s->terms[i] = (Term){cos(x[i]), i % 2};
  move_bytes(other, s, size);
  double total = 0;
  for (int i = 0; i < other->count; i++) {
    other->terms[i].weight *= other->scale;
    total += other->terms[i].weight * other->source[i] * (other->terms[i].parity ? -1 : 1);
  }
  memmove(s, other, size);
  for (int i = 0; i < n; i++)
    total += s->terms[i].weight * s->terms[(i + 1) % n].weight;
  free(s);
  free(other);
  return total;
}

static double permuted(const double *x, double *work, int n) {
  Permuted *p = malloc(sizeof *p + n);
  p->values = work;
  p->factor = x[3];
  p->count = n;
  for (int i = 0; i < n; i++) {
    work[i] = x[i] * x[i];
    p->order[i] = (char)i;
  }
  double total = 0;
  for (int t = 0; t < 3; t++) {
    p->order[(t + 1) % n] = p->order[t % n];
    Permuted *copy = malloc(sizeof *p + n);
    memcpy(copy, p, sizeof *p + n);
    copy->values[copy->order[t]] *= copy->factor;
    for (int i = 0; i < copy->count; i++)
      total += copy->values[copy->order[i]] * (i + 1);
    free(p);
    p = copy;
  }
  free(p);
  return total;
}

double objective(const double *x, int n) {
  double *work = malloc(n * sizeof(double));
  double total = series(x, n) + sum(x, n) + permuted(x, work, n);
  free(work);
  return total;
}
