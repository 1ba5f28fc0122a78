// check: array n=7 refused=E0103
// A comparison, called through a table, that adds up what it compares.
#include <math.h>
#include <stdlib.h>

static double total;

static int adding(const void *a, const void *b)
{
    double l = *(const double *)a, r = *(const double *)b;
    total += l * r;
    return (l > r) - (l < r);
}

static int rising(const void *a, const void *b)
{
    double l = *(const double *)a, r = *(const double *)b;
    return (l > r) - (l < r);
}

int (*orders[])(const void *, const void *) = {rising, adding};

double objective(const double *x, int n)
{
    double y[7];
    total = 0.0;
    for (int i = 0; i < n; i++)
        y[i] = sin(4 * x[i]);
    qsort(y, n, sizeof *y, orders[n > 100]);
    return total + y[0];
}
