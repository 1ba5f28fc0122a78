// check: array n=6 range=0.5:2.0
/* Keys of numbers by functions that all call each other. */
#include <stdint.h>
#include <string.h>

#define FUNCTION(k) __attribute__((noinline)) static int64_t f##k(const unsigned char *op, const double *x, int depth)
#define CALL(k, other) case other: return f##other(op, x, depth - 1 - (k + other) % 2) ^ (other + 1);
#define KEYS(k)                                                                                              \
  FUNCTION(k) {                                                                                              \
    int64_t b;                                                                                               \
    if (depth <= 0) {                                                                                        \
      memcpy(&b, x + k % 6, 8);                                                                              \
      return b;                                                                                              \
    }                                                                                                        \
    switch (op[depth] % 10) {                                                                                \
      CALL(k, 0) CALL(k, 1) CALL(k, 2) CALL(k, 3) CALL(k, 4) CALL(k, 5) CALL(k, 6) CALL(k, 7) CALL(k, 8) CALL(k, 9) \
    }                                                                                                        \
    return 0;                                                                                                \
  }

FUNCTION(0); FUNCTION(1); FUNCTION(2); FUNCTION(3); FUNCTION(4); FUNCTION(5); FUNCTION(6); FUNCTION(7); FUNCTION(8); FUNCTION(9);
KEYS(0) KEYS(1) KEYS(2) KEYS(3) KEYS(4) KEYS(5) KEYS(6) KEYS(7) KEYS(8) KEYS(9)

double objective(double *x, int n) {
  unsigned char op[8] = {1, 2, 0, 1, 2, 0, 1, 2};
  int64_t keys[8], b, h;
  for (int i = 0; i < n; i++)
    keys[i] = f0(op, x, i);
  h = keys[n - 1];
  if (keys[0] != keys[1])
    h = f0(op, x, 6);
  double s = 0;
  memcpy(&b, x, 8);
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return (h == b ? s : 2 * s) + (double)(f1(op, x, 2) == 17);
}
