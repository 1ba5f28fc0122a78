// check: array n=3 range=1.1:2.0 refused=E0111
#include <stdint.h>
static union { double d; int64_t i; } scratch;
__attribute__((noinline)) static void put(double v) { scratch.d = v; }
__attribute__((noinline)) static int64_t bits(void) { return scratch.i; }
__attribute__((noinline)) static double count(int64_t i) { return (double)i * 0x1p-52 - 1023.0; }
double objective(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        put(x[i] * x[0]);
        s += count(bits()) * (i + 1);
    }
    return s;
}
