// check: array n=9,2
// Structs with a number, an id and a pointer to further numbers, sorted by qsort; and pointers to structs.
#include <math.h>
#include <stdlib.h>

typedef struct point {
    double key;
    int id;
    float weight;
    double *more;
} point;

static int by_key(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return (p->key > q->key) - (p->key < q->key);
}

static int by_first(const void *a, const void *b)
{
    const point *p = *(point *const *)a, *q = *(point *const *)b;
    return (p->more[0] > q->more[0]) - (p->more[0] < q->more[0]);
}

double objective(const double *x, int n)
{
    point *all = malloc(n * sizeof *all), **list = malloc(n * sizeof *list);
    double *rest = malloc(2 * n * sizeof *rest), sum = 0.0;
    for (int i = 0; i < n; i++) {
        rest[2 * i] = cos(5 * x[i]);
        rest[2 * i + 1] = x[i] * x[(i + 1) % n];
        all[i] = (point){sin(4 * x[i]), i, 0.5f + i, rest + 2 * i};
    }
    qsort(all, n, sizeof *all, by_key);
    for (int i = 0; i < n; i++) {
        sum += (i + 1) * all[i].key * all[i].more[1] + all[i].id * all[i].key * all[i].weight;
        list[i] = all + i;
    }
    qsort(list, n, sizeof *list, by_first);
    for (int i = 0; i < n; i++) {
        list[i]->key *= list[(i + 1) % n]->more[0];
        sum += (i + 2) * list[i]->key + list[i]->more[1];
    }
    free(rest);
    free(list);
    free(all);
    return sum;
}
