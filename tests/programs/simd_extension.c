// check: array n=8,13
// Vectors of the compiler's extension: loads, arithmetic, comparisons and sums of lanes.
#include <string.h>

typedef double v4 __attribute__((vector_size(32)));
typedef long i4 __attribute__((vector_size(32)));

static double sum(v4 v)
{
    return v[0] + v[1] + v[2] + v[3];
}

double objective(const double *x, int n)
{
    v4 total = {0.0, 0.0, 0.0, 0.0}, half = {0.5, 0.5, 0.5, 0.5};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        v4 v;
        memcpy(&v, x + i, sizeof v);
        v4 w = v * v + half;
        i4 large = v > 1.0;
        total += (v4)(((i4)w & large) | ((i4)v & ~large));
        total *= __builtin_shufflevector(v, v, 3, 0, 2, 1);
    }
    double rest = 1.0;
    for (; i < n; i++)
        rest *= x[i];
    return sum(total) + rest;
}
