/* What differentiation would give, written by hand: the extension module is tested apart from it. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0.5 * k * x[i] * x[i];
  return sum;
}

double enzyme_build_energy_vjp(const double *x, double *x_bar, int n, double k, double *k_bar, double seed) {
  for (int i = 0; i < n; i++) {
    x_bar[i] += k * x[i] * seed;
    *k_bar += 0.5 * x[i] * x[i] * seed;
  }
  return energy(x, n, k);
}

double enzyme_build_energy_jvp(const double *x, const double *x_dot, int n, double k, double k_dot, double *result_dot) {
  *result_dot = 0;
  for (int i = 0; i < n; i++) *result_dot += k * x[i] * x_dot[i] + 0.5 * k_dot * x[i] * x[i];
  return energy(x, n, k);
}

double enzyme_build_energy_hvp(const double *x, const double *x_dot, double *x_bar, double *x_bar_dot, int n, double k,
                               double k_dot, double *k_bar, double *k_bar_dot) {
  for (int i = 0; i < n; i++) {
    x_bar_dot[i] += k * x_dot[i] + k_dot * x[i];
    *k_bar_dot += x[i] * x_dot[i];
  }
  return enzyme_build_energy_vjp(x, x_bar, n, k, k_bar, 1);
}

/* y = 3 x + s[0], s = 2 s. The C library has a function of this name, which must not be called instead. */
void step(const double *x, double *y, double *s, int n) {
  for (int i = 0; i < n; i++) y[i] = 3 * x[i] + s[0];
  for (int i = 0; i < 2 * n; i++) s[i] *= 2;
}

void enzyme_build_step_vjp(const double *x, double *x_bar, double *y, double *y_bar, double *s, double *s_bar, int n) {
  step(x, y, s, n);
  for (int i = 0; i < 2 * n; i++) s_bar[i] *= 2;
  for (int i = 0; i < n; i++) {
    x_bar[i] += 3 * y_bar[i];
    s_bar[0] += y_bar[i];
    y_bar[i] = 0;
  }
}

void enzyme_build_step_jvp(const double *x, const double *x_dot, double *y, double *y_dot, double *s, double *s_dot,
                           int n) {
  for (int i = 0; i < n; i++) y_dot[i] = 3 * x_dot[i] + s_dot[0];
  for (int i = 0; i < 2 * n; i++) s_dot[i] *= 2;
  step(x, y, s, n);
}

/* Every kind of number, by value and by pointer. */
float mixed(const float *a, int64_t rows, uint8_t columns, bool flag, const int32_t *index, double *scale) {
  float sum = 0;
  for (int64_t i = 0; i < rows * columns; i++) sum += a[i] * (float)index[i];
  return (float)*scale * (flag ? -sum : sum);
}

/* Long enough to see whether another thread runs meanwhile. */
double slow(double seconds) {
  struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  nanosleep(&pause, 0);
  return seconds;
}

/* A length that no input gives. */
void count(double *out, int n) {
  for (int i = 0; i < n; i++) out[i] = i;
}

/* A packed array. */
double packed(const double *p, int k, int d) {
  double sum = 0;
  for (int i = 0; i < k * d * (d + 1) / 2; i++) sum += p[i];
  return sum;
}
