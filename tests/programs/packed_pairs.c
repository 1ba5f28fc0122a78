// check: array n=4 range=0.3:1.2
// Bytes and numbers in turn, packed, in a buffer that is copied.
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
static char *copy(const char *from, size_t n) { char *to = malloc(n); memcpy(to, from, n); return to; }
static size_t pack(char *to, const double *x, int n) {
  size_t at = 0;
  for (int i = 0; i < n; i++) {
    uint8_t k = (uint8_t)i; memcpy(to + at, &k, 1); at += 1;
    double v = x[i] * x[i]; memcpy(to + at, &v, 8); at += 8;
  }
  return at;
}
double objective(const double *x, int n) {
  char *a = malloc(9 * n);
  size_t size = pack(a, x, n);
  char *b = copy(a, size);
  double s = 0;
  for (size_t at = 0; at < size; at += 9) { double v; memcpy(&v, b + at + 1, 8); s += v * v * (b[at] + 1); }
  free(a); free(b);
  return s;
}
