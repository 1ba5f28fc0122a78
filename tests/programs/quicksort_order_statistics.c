// check: array n=7,1,0
// Order statistics of active doubles.
#include <math.h>
#include <stdlib.h>

static int rising(const void *a, const void *b)
{
    double l = *(const double *)a, r = *(const double *)b;
    return (l > r) - (l < r);
}

double objective(const double *x, int n)
{
    double *y = malloc(n * sizeof *y), sum = 0.0;
    for (int i = 0; i < n; i++)
        y[i] = sin(3 * x[i]);
    qsort(y, n, sizeof *y, rising);
    for (int i = 0; i < n; i++)
        sum += (i + 1) * y[i] * y[i];
    if (n)
        sum += y[n / 2] * y[0];
    free(y);
    return sum;
}
