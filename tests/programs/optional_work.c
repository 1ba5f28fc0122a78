// check: array n=6,1
// Functions that stay calls are given memory to work in, or none: behind a null pointer there is nothing to differentiate.
#include <math.h>
#include <stdlib.h>

__attribute__((noinline)) static double mean_square(const double *x, int n, double *work) {
  double sum = 0;
  if (!work) {
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum / n;
  }
  for (int i = 0; i < n; i++) work[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) sum += work[n - 1 - i];
  return sum / n;
}

typedef struct node {
  double weight;
  struct node *next;
} node;

__attribute__((noinline)) static double weigh(double v, node *owner, double *trace) {
  double result = v * v;
  if (owner) {
    owner->weight += sin(v);
    result += owner->weight * owner->weight;
  }
  if (trace) {
    trace[0] += result;
    trace[1] = trace[0] * v;
  }
  return result;
}

double objective(const double *x, int n) {
  double *work = malloc(n * sizeof *work), trace[2] = {0, 0};
  node root = {x[0], NULL};
  double sum = mean_square(x, n, NULL) * mean_square(x, n, work);
  for (int i = 0; i < n; i++) sum += weigh(x[i], i % 2 ? &root : NULL, i % 3 ? trace : NULL);
  sum += weigh(sum, NULL, NULL) * weigh(x[0], &root, NULL) * weigh(x[n - 1], NULL, trace);
  free(work);
  return sum + trace[1] * root.weight;
}
