// check: main flags=-Itests/support
/* What is assumed of pointers (their alignment) in a function that asks for a derivative is assumed of no others. */
#include "expect.h"
#include <stdint.h>

double __enzyme_autodiff(void *, double);

static double square(double x) { return x * x; }

double *volatile aligned;
double *volatile odd;
_Alignas(64) double room[64];

__attribute__((noinline)) static int offset(const double *p) { return (int)((uintptr_t)p & 63); }

int main(void) {
  for (int i = 0; i < 64; i++)
    room[i] = i;
  aligned = room;
  odd = room + 1;
  double slope = __enzyme_autodiff((void *)square, 3.0);
  double *one = odd;
  double *other = __builtin_assume_aligned(aligned, 64);
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += one[i] * other[i];
  EXPECT(slope, 6);
  EXPECT(((uintptr_t)one & 63) + offset(other), 8);
  EXPECT(sum, 168);
  return expect_failures;
}
