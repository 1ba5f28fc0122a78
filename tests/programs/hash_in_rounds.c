// check: array n=6 range=0.5:2.0
/* A hash of numbers in rounds, as MD5 and SHA have them, which are functions. */
#include <stdint.h>
#include <string.h>
__attribute__((noinline)) static uint64_t ff(uint64_t a, uint64_t b, uint64_t m) { return (a ^ b) + m; }
__attribute__((noinline)) static void digest(uint64_t *out, const double *x) {
  uint64_t a, b;
  memcpy(&a, x, 8); memcpy(&b, x + 1, 8);
  a = ff(a, b, 3); b = ff(b, a, 1);
  a = ff(a, b, 4); b = ff(b, a, 8);
  a = ff(a, b, 5); b = ff(b, a, 15);
  a = ff(a, b, 6); b = ff(b, a, 22);
  a = ff(a, b, 7); b = ff(b, a, 29);
  a = ff(a, b, 8); b = ff(b, a, 36);
  a = ff(a, b, 9); b = ff(b, a, 43);
  a = ff(a, b, 10); b = ff(b, a, 50);
  a = ff(a, b, 11); b = ff(b, a, 57);
  a = ff(a, b, 12); b = ff(b, a, 64);
  a = ff(a, b, 13); b = ff(b, a, 71);
  a = ff(a, b, 14); b = ff(b, a, 78);
  a = ff(a, b, 91); b = ff(b, a, 141);
  a = ff(a, b, 92); b = ff(b, a, 142);
  a = ff(a, b, 93); b = ff(b, a, 143);
  a = ff(a, b, 94); b = ff(b, a, 144);
  out[0] = a; out[1] = b;
}
double objective(double *x, int n) {
  uint64_t key[2];
  digest(key, x);
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * (i + 1);
  return key[0] == 17 ? 2 * s : s;
}
