// check: array n=3 refused=E0130
// A pointer to active memory is published by a compare-exchange, and read plainly afterwards: nothing puts its shadow
// where its shadow would be looked for.
#include <stdlib.h>

typedef struct {
    double *first;
} Cache;

static Cache cache;

double objective(const double *x, int n)
{
    double *mine = malloc(n * sizeof *mine), *none = NULL;
    for (int i = 0; i < n; i++)
        mine[i] = x[i] * x[i];
    cache.first = NULL;
    if (!__atomic_compare_exchange_n(&cache.first, &none, mine, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(mine);
        mine = NULL;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += cache.first[i] * x[i];
    free(mine);
    return sum;
}
