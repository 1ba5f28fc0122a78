// check: array n=10
// bsearch and lfind in an active table, by active keys; interpolation between what is found and its neighbour.
#include <math.h>
#include <search.h>
#include <stdlib.h>

typedef struct {
    double at, value;
} knot;

static int inside(const void *key, const void *element)
{
    double x = *(const double *)key;
    const knot *k = element;
    return x < k[0].at ? -1 : x >= k[1].at;
}

static int same(const void *key, const void *element)
{
    return *(const int *)key != (int)((const knot *)element)->at;
}

static double interpolate(const knot *table, int knots, double x)
{
    knot *found = bsearch(&x, table, knots - 1, sizeof *table, inside);
    if (found == NULL)
        return x < table[0].at ? table[0].value : 2 * table[knots - 1].value;
    double t = (x - found[0].at) / (found[1].at - found[0].at);
    return (1 - t) * found[0].value + t * found[1].value;
}

double objective(const double *x, int n)
{
    knot table[10];
    for (int i = 0; i < n; i++)
        table[i] = (knot){i + 0.25 * x[i], x[i] * x[n - 1 - i]};
    double sum = 0.0;
    for (int i = 0; i < 30; i++)
        sum += interpolate(table, n, 0.4 * i - 0.7 + x[i % n] * 0.1) * (1 + i % 3);
    int key = 3;
    size_t length = n;
    knot *third = lfind(&key, table, &length, sizeof *table, same);
    if (third != NULL)
        third->value *= sum;
    return sum + table[3].value + sin(table[2].value);
}
