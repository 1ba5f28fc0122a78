// check: array n=6
// From an element back to what lies in front of all of them: by its own index, or by a constant from the first.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double value;
  long index;
} Item;

typedef struct {
  double scale;
  double *shared;
  Item items[];
} Pool;

static Pool *pool_of(Item *item) {
  return (Pool *)((char *)(item - item->index) - offsetof(Pool, items));
}

static double scaled(Item *item) {
  Pool *pool = pool_of(item);
  pool->scale += 0.1 * item->value;
  return item->value * pool->scale * pool->shared[item->index];
}

typedef struct {
  double sum;
  double *source;
} Header;

static double *new_vector(double *source, unsigned n) {
  Header *h = malloc(sizeof *h + n * sizeof(double));
  h->sum = 0;
  h->source = source;
  return (double *)(h + 1);
}

static Header *header(double *v) { return (Header *)v - 1; }

double objective(double *x, int n) {
  Pool *pool = malloc(sizeof *pool + n * sizeof pool->items[0]);
  pool->scale = x[0];
  pool->shared = x;
  for (int i = 0; i < n; i++)
    pool->items[i] = (Item){sin(x[i]), i};
  double total = 0;
  for (unsigned i = 0; i < (unsigned)n; i++)
    total += scaled(&pool->items[i * 5 % n]);
  Pool *copy = malloc(sizeof *pool + n * sizeof pool->items[0]);
  memcpy(copy, pool, sizeof *pool + n * sizeof pool->items[0]);
  for (unsigned i = 0; i < (unsigned)n; i++)
    total += scaled(&copy->items[i]);
  free(pool);
  free(copy);

  double *v = new_vector(x, n);
  for (unsigned i = 0; i < (unsigned)n; i++) {
    v[i] = header(v)->source[i] * x[(i + 1) % n];
    header(v)->sum += v[i];
  }
  for (unsigned i = 0; i < (unsigned)n; i++) {
    double *element = &v[i];
    Header *h = (Header *)(element - i) - 1;
    h->sum *= 1 + 0.1 * h->source[i] * *element;
  }
  total += header(v)->sum;
  free(header(v));
  return total;
}
