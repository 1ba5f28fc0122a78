// check: array n=6,3
// Hooks: pairs of a function and its own data, of different types and precisions, in a list made at run time.
#include <math.h>
#include <stdlib.h>
typedef double (*hook_fn)(double v, void *ctx);
typedef struct { hook_fn fn; void *ctx; } hook;
typedef struct { double a, b; int calls; } quad;
typedef struct { int count; long double gain; } counter;
typedef struct { int n; double *t; } table;
static double on_quad(double v, void *ctx) { quad *q = ctx; q->calls++; return q->a * v * v + q->b; }
static double on_count(double v, void *ctx) { counter *c = ctx; c->count++; return v * c->gain * c->count; }
static double on_table(double v, void *ctx) { table *t = ctx; double s = 0; for (int i = 0; i < t->n; i++) s += t->t[i] * sin(v * i); return s; }
static double on_tick(double v, void *ctx) { int *k = ctx; return v * ++*k; }
typedef struct { hook *list; int n, cap; } bus;
__attribute__((noinline)) static void subscribe(bus *b, hook_fn f, void *ctx) {
  if (b->n == b->cap) { b->cap = b->cap ? 2 * b->cap : 2; b->list = realloc(b->list, b->cap * sizeof *b->list); }
  b->list[b->n++] = (hook){f, ctx};
}
__attribute__((noinline)) static double publish(const bus *b, double v) {
  double s = 0;
  for (int i = 0; i < b->n; i++) s += b->list[i].fn(v + s * 0.1, b->list[i].ctx);
  return s;
}
double objective(const double *x, int n) {
  bus b = {0};
  quad q = {x[0], x[1], 0};
  counter c = {0, 1.5L * x[1]};
  int ticks = 0;
  table t = {n, malloc(n * sizeof(double))};
  for (int i = 0; i < n; i++) t.t[i] = x[i] * x[i];
  subscribe(&b, on_quad, &q); subscribe(&b, on_count, &c); subscribe(&b, on_table, &t); subscribe(&b, on_tick, &ticks);
  double r = 0;
  for (int i = 0; i < n; i++) r += publish(&b, x[i]);
  r += q.calls + c.count + ticks;
  free(b.list); free(t.t);
  return r;
}
