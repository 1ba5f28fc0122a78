// check: array n=7
// qsort and bsearch of indices by comparing active values; comparators chosen at run time.
#include <math.h>
#include <stdlib.h>

static const double *keys;

static int rising(const void *a, const void *b)
{
    double d = keys[*(const int *)a] - keys[*(const int *)b];
    return (d > 0) - (d < 0);
}

static int falling(const void *a, const void *b)
{
    return rising(b, a);
}

double objective(const double *x, int n)
{
    int *order = malloc(n * sizeof *order);
    double sum = 0.0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++)
            order[i] = i;
        keys = x;
        qsort(order, n, sizeof *order, round ? rising : falling);
        for (int i = 0; i < n; i++)
            sum += sin(x[order[i]]) * (i + 1 + round);
    }
    free(order);
    return sum;
}
