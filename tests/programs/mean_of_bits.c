// check: array n=4 range=1.0:1.9 refused=E0111
#include <stdint.h>
#include <string.h>
static int64_t bits(double v) { int64_t b; memcpy(&b, &v, 8); return b; }
static double of(int64_t b) { double v; memcpy(&v, &b, 8); return v; }
double objective(double *x, int n)
{
    int64_t one = bits(1.0), sum = 0;
    for (int i = 0; i < n; i++) sum += bits(x[i]) - one;
    return of(one + sum / n);
}
