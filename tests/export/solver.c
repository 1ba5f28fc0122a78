#include "solver.h"

#include <math.h>
#include <stdlib.h>

struct model {
  int n;
  double rate, *state;
};
static double scale = 1;

void s_set_scale(double s) { scale = s; }

model *s_new(int n, double rate) {
  model *m = malloc(sizeof *m);
  m->n = n;
  m->rate = rate;
  m->state = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) m->state[i] = rate * (i + 1);
  return m;
}

void s_step(model *m, const double *force) {
  for (int i = 0; i < m->n; i++) m->state[i] += scale * sin(force[i]) * m->state[i] * m->rate;
}

double s_energy(const model *m) {
  double sum = 0;
  for (int i = 0; i < m->n; i++) sum += m->state[i] * m->state[i] * m->state[i];
  return sum;
}

void s_free(model *m) {
  free(m->state);
  free(m);
}

double s_sum(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += exp(k * x[i]) * sin(x[i]);
  return sum;
}

double s_pick(const double *x, const int *at, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[at[i]] * x[at[i]] * x[i];
  return sum;
}

void s_smooth(double *x, int n) {
  double last = x[0];
  for (int i = 1; i < n; i++) {
    double here = x[i];
    x[i] = here > last ? 0.5 * here * last : here + 0.1 * last * last;
    last = here;
  }
}

triple s_triple(double x, double y) { return (triple){x * y, x + y * y, sin(x)}; }
double s_of_triple(triple t, double w) { return t.a * t.b * w + exp(t.c); }
pair s_product(pair a, pair b) { return (pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
double s_power(double x, int n) { return n == 0 ? 1 : x * s_power(x, n - 1) + (n > 3 ? s_power(x, n - 2) : 0); }
float s_single(float a, const float *t) { return a * t[1] * t[0]; }
