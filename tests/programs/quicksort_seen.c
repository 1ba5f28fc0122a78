// check: array n=7 refused=E0103
// A comparison that counts in the elements how often it saw them.
#include <math.h>
#include <stdlib.h>

typedef struct {
    double key;
    int seen;
} item;

static int counting(const void *a, const void *b)
{
    item *p = (item *)a, *q = (item *)b;
    p->seen++;
    q->seen++;
    return (p->key > q->key) - (p->key < q->key);
}

double objective(const double *x, int n)
{
    item all[7];
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        all[i] = (item){sin(4 * x[i]), 0};
    qsort(all, n, sizeof *all, counting);
    for (int i = 0; i < n; i++)
        sum += all[i].key * all[i].seen;
    return sum;
}
