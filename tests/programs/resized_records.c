// check: array n=9,3
// realloc of what calloc gave, to more and to less; of records that point elsewhere; of memory that a static keeps.
#include <math.h>
#include <stdlib.h>

struct record {
    double values[3];
    double *where;
    double weight;
};

static double *kept;
static int room;

__attribute__((noinline)) static void keep(double value, int at)
{
    if (at >= room) {
        room = 2 * at + 1;
        kept = realloc(kept, room * sizeof(double));
    }
    kept[at] = value;
}

__attribute__((noinline)) static double records(double *x, int n)
{
    struct record *all = calloc(1, sizeof *all);
    all[0].where = x;
    all[0].weight = x[0];
    for (int i = 1; i < n; i++) {
        all = realloc(all, (i + 1) * sizeof *all);
        all[i] = all[i / 2];
        all[i].where = i % 2 ? all[i].where : x + i;
        all[i].weight += 0.3 * x[i];
        all[i].values[i % 3] = sin(x[i]) * all[i].where[0];
    }
    int left = n / 2 + 1;
    all = realloc(all, left * sizeof *all);
    double sum = 0;
    for (int i = 0; i < left; i++)
        sum += all[i].weight * all[i].where[0] + all[i].values[0] * all[i].values[1] + all[i].values[2];
    free(all);
    return sum;
}

double objective(double *x, int n)
{
    double sum = records(x, n);
    for (int i = 0; i < n; i++)
        keep(x[i] * x[n - 1 - i], i);
    for (int i = 0; i < n; i++)
        sum += kept[i] * kept[n - 1 - i];
    free(kept);
    kept = NULL;
    room = 0;
    return sum;
}
