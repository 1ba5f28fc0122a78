// check: array n=5 range=0.3:1.5
// Signs of numbers are flipped, or set, by bits that are computed.
#include <stdint.h>
#include <string.h>
typedef union { float f; uint32_t u; } Bits;
typedef union { double d; uint64_t u; } Wide;
static double flipped(double v, int negative) {
  Wide w = {.d = v};
  w.u ^= (uint64_t)(negative & 1) << 63;
  return w.d;
}
static double with_sign(double v, uint64_t negative) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  u = (u & INT64_MAX) | negative << 63;
  memcpy(&v, &u, sizeof v);
  return v;
}
static float narrow(float v, int negative) {
  Bits b = {.f = v};
  b.u ^= (uint32_t)negative << 31;
  return b.f;
}
double objective(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += flipped(x[i] * x[i], i) * (i + 1);
    sum += with_sign(x[i] - 2, (uint64_t)i >> 1) * x[(i + 1) % n];
    sum += narrow(i, i & 1) * x[i];
  }
  return sum;
}
