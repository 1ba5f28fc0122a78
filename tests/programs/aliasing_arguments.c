// check: array n=6
// The same array given twice to functions that do not know it.
#include <string.h>

__attribute__((noinline)) static void add_product(double *out, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        out[i] += a[i] * b[n - 1 - i];
}

double objective(const double *x, int n)
{
    double work[16], other[16];
    memcpy(work, x, sizeof(double) * n);
    memcpy(other, x, sizeof(double) * n);
    add_product(work, work, work, n);
    add_product(other, other, work, n);
    add_product(work, other, other, n);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += work[i] * other[i];
    return sum;
}
