// check: array n=3 tol=1e-3 refused=E0111
// A fast exponential (Schraudolph 1999) in two functions, one of which rounds and one makes a number of the bits.
#include <string.h>
#include <stdint.h>
__attribute__((noinline)) static double of(int64_t b) { double d; memcpy(&d, &b, 8); return d; }
__attribute__((noinline)) static int64_t scaled(double x) { return (int64_t)(6497320848556798.0 * x + 4606853616395542528.0); }
double objective(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += of(scaled(x[i])) * x[0];
    return s;
}
