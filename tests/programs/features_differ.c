// check: array n=8 range=0.4:1.6
// A function for wider vectors than its caller's: what passes between their derivatives does not depend on that.
#include <string.h>

typedef double lanes __attribute__((vector_size(32)));

__attribute__((noinline, target("avx2"))) static void wide(double *x, double *sum)
{
    lanes v;
    memcpy(&v, x, sizeof v);
    for (int i = 0; i < 3; i++) {
        v = v * v * 0.5 + 0.25;
        memcpy(x, &v, sizeof v);
    }
    *sum += v[0] * v[1] + v[2] * v[3];
}

double objective(const double *x, int n)
{
    double copy[8], sum = 0.0;
    memcpy(copy, x, sizeof copy);
    for (int i = 0; i + 4 <= n; i++)
        wide(copy + i, &sum);
    return sum;
}
