// check: array n=3 range=1.1:1.4 refused=E0111
/* A function too long to be inlined returns the bits of what it is given, and another one counts those it is given. */
#include <math.h>
#include <stdint.h>
#include <string.h>

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

__attribute__((noinline)) static int64_t key(double v, double *w) {
  int64_t bits;
  memcpy(&bits, &v, sizeof bits);
  mix(w, v);
  return bits;
}

__attribute__((noinline)) static double level(int64_t bits, double v, double *w) {
  mix(w, v);
  return (double)bits * 0x1p-52;
}

double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double w[3] = {1, 1, 1}, v = x[i] * x[0];
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    s += i % 2 ? level(bits, v, w) : (double)key(v, w) * 0x1p-52;
    s += w[0] * w[0] * 1e-3;
  }
  return s;
}
