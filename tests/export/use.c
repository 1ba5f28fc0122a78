/* Reverse and forward mode through calls of the library, against finite differences; prints the gradient. */
#include "solver.h"

#include <math.h>
#include <stdio.h>

#define N 4

extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static const int at[N] = {1, 1, 3, 0};

static double handles(const double *f, double rate) {
  model *m = s_new(3, rate);
  s_set_scale(0.5); /* changes between the calls, as does what they point to */
  double sum = s_energy(m);
  s_step(m, f);
  s_set_scale(2);
  sum += 2 * s_energy(m);
  s_step(m, f + 1);
  sum += s_energy(m);
  s_set_scale(1);
  s_free(m);
  return sum;
}

static double structs(const double *x, double k) {
  pair p = {x[0], x[1]}, q = {x[2], k};
  p = s_product(p, q);
  return s_of_triple(s_triple(x[0], k), x[1]) + p.re * p.im;
}

double loss(double *x, int n, double k) {
  double sum = structs(x, k) + s_power(x[1], 6);
  float single[2] = {(float)x[0], (float)x[2]};
  sum += s_single((float)k, single);
  for (int t = 0; t < 3; t++) {
    sum += s_sum(x, n, k);
    s_smooth(x, n);
    for (int i = 0; i < t; i++) sum += 0.1 * s_sum(x, n - i, 0.5);
  }
  return sum + s_pick(x, at, n) + handles(x, k) + s_sum(x, n, k * k);
}

static double at_point(double *x, int moved, double by, double k) {
  for (int i = 0; i < N; i++) x[i] = 0.3 + 0.7 * i - 0.2 * i * i + (i == moved ? by : 0);
  return k + (moved == N ? by : 0);
}

int main(void) {
  double x[N], x_bar[N + 1] = {0}, worst = 0, k = at_point(x, -1, 0, 0.8);
  x_bar[N] = __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, N, enzyme_out, k);
  for (int j = 0; j <= N; j++) {
    double h = 1e-3, value[2], x_dot[N] = {0};
    for (int side = 0; side < 2; side++) {
      double moved = at_point(x, j, side ? h : -h, 0.8);
      value[side] = loss(x, N, moved);
    }
    at_point(x, -1, 0, 0.8);
    if (j < N) x_dot[j] = 1;
    double tangent = __enzyme_fwddiff((void *)loss, enzyme_dup, x, x_dot, enzyme_const, N, enzyme_dup, k, (double)(j == N));
    double size = 1 + fabs(tangent);
    worst = fmax(worst, fabs((value[1] - value[0]) / (2 * h) - tangent) / size / 1e-3);
    worst = fmax(worst, fabs(x_bar[j] - tangent) / size / 1e-9);
    printf("%.9f\n", x_bar[j]);
  }
  return worst > 1;
}
