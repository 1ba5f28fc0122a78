// check: array n=3 range=0.2:0.9 refused=E0111
/* A fast exponential whose integer comes from a function too long to be inlined, in a struct, from a table of two. */
#include <math.h>
#include <stdint.h>
#include <string.h>

struct scaled {
  int64_t bits;
  int64_t rounds;
};

static void mix(double *w, double v) {
  for (int k = 0; k < 3; k++) {
    w[0] += sin(v + k) * w[k];
    if (w[0] > 7)
      w[0] *= 0.5;
    w[1] += cos(v * k) / (2 + w[k] * w[k]);
    w[2] += exp(-v * k) * w[1];
    if (w[2] > 9)
      w[1] *= 0.1;
    w[0] += tanh(w[1]) * sqrt(w[2] * w[2] + 1) + log(2 + w[1] * w[1]);
    w[1] += fabs(w[2] - 3) * pow(2 + v, 1.5);
  }
}

__attribute__((noinline)) static struct scaled near_bits(double v, double *w) {
  mix(w, v);
  return (struct scaled){(int64_t)(v * 6497320848556798.0) + 4606853616395542528, 1};
}

__attribute__((noinline)) static struct scaled other_bits(double v, double *w) {
  mix(w, 2 * v);
  return (struct scaled){(int64_t)(v * 6497320848556798.0) + 4606753616395542528, 2};
}

static struct scaled (*const ways[])(double, double *) = {near_bits, other_bits};

double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double w[3] = {1, 1, 1}, fast;
    struct scaled at = ways[n % 2](x[i], w);
    memcpy(&fast, &at.bits, sizeof fast);
    s += fast + at.rounds * x[i] + w[0] * 1e-3;
  }
  return s;
}
