// check: inplace n=8,4
// C's compound assignment to _Atomic numbers of the caller's.
#include <math.h>
#include <stdatomic.h>

struct bin {
    _Atomic double sum;
};

__attribute__((noinline)) static void collect(struct bin *bins, const double *x, int n, int m)
{
    for (int i = 0; i < n; i++) {
        bins[i % m].sum += exp(0.3 * x[i]);
        bins[(i + 1) % m].sum -= x[i] * x[0];
    }
}

void transform(double *all, int size)
{
    double *y = all, *x = all + 3;
    collect((struct bin *)y, x, size - 3, 3);
    for (int i = 0; i < 3; i++)
        y[i] = y[i] * x[0] + sin(y[i]);
}
