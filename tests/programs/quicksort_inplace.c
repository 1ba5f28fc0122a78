// check: inplace n=7,2,0
// An array of the caller's, and parts of it, sorted in place.
#include <math.h>
#include <stdlib.h>

static int rising(const void *a, const void *b)
{
    double l = *(const double *)a, r = *(const double *)b;
    return (l > r) - (l < r);
}

static int falling(const void *a, const void *b)
{
    return rising(b, a);
}

void transform(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = sin(4 * x[i]);
    qsort(x, n, sizeof *x, rising);
    for (int i = 1; i < n; i++)
        x[i] *= x[i - 1];
    if (n > 4)
        qsort(x + 2, n - 3, sizeof *x, falling);
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1] * x[i];
}
