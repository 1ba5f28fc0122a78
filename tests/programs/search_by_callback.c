// check: array n=7
// qsort and bsearch on indices and constant keys, with comparisons that look at active numbers.
#include <search.h>
#include <stdlib.h>

static const double *values;

static int by_value(const void *a, const void *b)
{
    double left = values[*(const int *)a], right = values[*(const int *)b];
    return (left > right) - (left < right);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

double objective(const double *x, int n)
{
    int order[16], keys[] = {9, 2, 5, 7}, wanted = 5;
    for (int i = 0; i < n; i++)
        order[i] = i;
    values = x;
    qsort(order, n, sizeof *order, by_value);
    qsort(keys, 4, sizeof *keys, by_number);
    const int *found = bsearch(&wanted, keys, 4, sizeof *keys, by_number);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * x[order[i]] * x[order[i]];
    return found != NULL ? sum * x[found - keys] : 0;
}
