// check: array n=6,4 tol=2e-3 identity=1e-5 step=0.01
// Drivers that stay calls are given callbacks and the addresses of their data, of whatever type: each has its own.
#include <math.h>
#include <stddef.h>

typedef double (*rate)(double t, double y, void *context);

__attribute__((noinline)) static double heun(rate f, void *context, double y, int steps) {
  double h = 0.1;
  for (int i = 0; i < steps; i++) {
    double k = f(i * h, y, context);
    y += 0.5 * h * (k + f((i + 1) * h, y + h * k, context));
  }
  return y;
}

__attribute__((noinline)) static double halved(rate f, void *context, double a, double b, int depth) {
  double middle = 0.5 * (a + b);
  if (depth == 0) return (b - a) * f(middle, middle, context);
  return halved(f, context, a, middle, depth - 1) + halved(f, context, middle, b, depth - 1);
}

struct decay {
  int calls;
  double k;
  struct {
    double height;
    float angle;
  } last;
};

static double decays(double t, double y, void *context) {
  struct decay *c = context;
  c->calls++;
  c->last.height += y;
  c->last.angle *= (float)c->k;
  return -c->k * y + c->last.angle * t;
}

static double weighted(double t, double y, void *context) {
  float *weights = context;
  return weights[0] * t * t + weights[1] * y;
}

static double counted(double t, double y, void *context) {
  double *sum = context;
  *sum += t * y;
  return sin(y) + 0.01 * *sum;
}

/* A table of functions for each class, and objects of which the driver knows nothing. */
struct operations {
  double (*value)(const void *self, double at);
  void (*change)(void *self, double by);
};

struct line {
  double slope, offset;
};
static double line_value(const void *self, double at) {
  const struct line *l = self;
  return l->slope * at + l->offset;
}
static void line_change(void *self, double by) { ((struct line *)self)->slope *= by; }
static const struct operations lines = {line_value, line_change};

struct steps {
  int n;
  float heights[4];
};
static double steps_value(const void *self, double at) {
  const struct steps *s = self;
  return s->heights[(int)(at * s->n) % 4] * at;
}
static void steps_change(void *self, double by) {
  struct steps *s = self;
  for (int i = 0; i < 4; i++) s->heights[i] += (float)by;
  s->n += 4;
}
static const struct operations stairs = {steps_value, steps_change};

__attribute__((noinline)) static double sampled(const struct operations *type, void *self, double from, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double v = type->value(self, from + 0.25 * i);
    sum += v * v;
    type->change(self, v);
  }
  return sum;
}

double objective(const double *x, int n) {
  struct decay d = {0, x[0], {x[1], (float)x[2]}};
  float weights[2] = {(float)x[1], (float)x[3]};
  double sum = 0.1;
  double y = heun(decays, &d, x[2], n) + heun(weighted, weights, x[3], n) * heun(counted, &sum, x[0], n);
  y += halved(decays, &d, 0, x[1], 3) + halved(counted, &sum, x[0], 2, 3) + halved(counted, &d.last.height, 0, 1, 2);
  struct line l = {x[0], x[1]};
  struct steps s = {3, {(float)x[0], (float)x[1], (float)x[2], (float)x[3]}};
  y += sampled(&lines, &l, 0.1, 3) + 0.01 * sampled(&stairs, &s, 0.1, 2);
  return y + d.last.height * d.last.angle + sum + d.calls * l.slope;
}
