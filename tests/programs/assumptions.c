// check: array n=8
// Hints to the optimiser: assume, expect, unreachable, assume_aligned, restrict, likely branches.
#include <math.h>
#include <stdlib.h>

static double kernel(const double *restrict a, double *restrict b, int n)
{
    __builtin_assume(n > 0);
    for (int i = 0; i < n; i++) {
        if (__builtin_expect(a[i] < 0.0, 0))
            abort();
        switch (i % 3) {
        case 0: b[i] = a[i] * a[i]; break;
        case 1: b[i] = sqrt(a[i]); break;
        case 2: b[i] = 1.0 / a[i]; break;
        default: __builtin_unreachable();
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += b[i] * b[n - 1 - i];
    return sum;
}

double objective(const double *x, int n)
{
    double *work = __builtin_assume_aligned(aligned_alloc(64, 128), 64);
    double result = kernel(x, work, n);
    free(work);
    return result;
}
