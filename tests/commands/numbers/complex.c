/* Functions of complex numbers: by address, by value, in each precision. */

#include <complex.h>

double power(const double _Complex *z, int n, double _Complex k) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double _Complex w = k * z[i] * z[i];
    sum += creal(w) * creal(w) + cimag(w);
  }
  return sum;
}

double distance(double _Complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

double _Complex cubic(double _Complex z, float _Complex y, double a) { return a * z * z * z + y; }

float _Complex square(float _Complex z) { return z * z; }

long double _Complex stretch(const long double _Complex *z, double a) { return z[0] * z[0] * a; }

void rotate(const float _Complex *z, float _Complex *w, int m, int n, float angle) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) w[i * n + j] = z[i * n + j] * cexpf(I * angle * (float)(j + 1));
}

void mix(double _Complex *state, double _Complex by, int n) {
  for (int i = 0; i + 1 < n; i++) state[i + 1] = by * state[i] * state[i + 1] + conj(state[i]);
}
