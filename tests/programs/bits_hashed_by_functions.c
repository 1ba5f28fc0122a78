// check: array n=6 range=0.5:2.0
/* Keys of numbers that functions return, in structs too, and that are hashed, sorted by or compared, but never counted. */
#include <math.h>
#include <stdint.h>
#include <string.h>

struct slot {
  uint64_t key;
  int64_t order;
};

__attribute__((noinline)) static int64_t order_of(double v) {
  int64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

__attribute__((noinline)) static struct slot slot_of(const double *x, int n, int i) {
  struct slot s = {0, order_of(x[i] * x[i])};
  for (int k = 0; k < n; k++) {
    uint64_t bits;
    memcpy(&bits, &x[k], sizeof bits);
    s.key = (s.key ^ bits) * 0x9E3779B97F4A7C15u;
    s.key ^= s.key >> 31;
  }
  return s;
}

__attribute__((noinline)) static int64_t smallest(const double *x, int from, int to) {
  if (to - from == 1)
    return order_of(x[from]);
  int64_t a = smallest(x, from, (from + to) / 2), b = smallest(x, (from + to) / 2, to);
  return a < b ? a : b;
}

double objective(double *x, int n) {
  double s = 0;
  int count[7] = {0};
  for (int i = 0; i < n; i++) {
    struct slot at = slot_of(x, n, i);
    count[at.key % 7]++;
    if (at.order > order_of(1.0))
      s += sin(x[i]) * (i + 1);
    else
      s += x[i] * x[i];
  }
  int64_t least = smallest(x, 0, n);
  for (int i = 0; i < n; i++)
    if (order_of(x[i]) == least)
      s += exp(x[i]);
  return s + count[0] + count[1] + count[2] + count[3] + count[4] + count[5] + count[6];
}
