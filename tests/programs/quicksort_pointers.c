// check: array n=8
// Arrays of pointers, to numbers and to structs, that are sorted, searched and used to change what they point to.
#include <math.h>
#include <stdlib.h>

typedef struct {
    double **list;
    int n;
} holder;

typedef struct {
    int id;
    double *value;
} item;

static int by_number(const void *a, const void *b)
{
    double l = **(double *const *)a, r = **(double *const *)b;
    return (l > r) - (l < r);
}

static int by_id(const void *a, const void *b)
{
    return (*(item *const *)a)->id - (*(item *const *)b)->id;
}

static int has_id(const void *key, const void *element)
{
    return *(const int *)key - (*(item *const *)element)->id;
}

__attribute__((noinline)) static void order(holder *h)
{
    qsort(h->list, h->n, sizeof *h->list, by_number);
}

double objective(const double *x, int n)
{
    holder h = {malloc(n * sizeof(double *)), n};
    item all[8], *list[8];
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        h.list[i] = malloc(sizeof(double));
        *h.list[i] = sin(5 * x[i]) + 0.02 * i;
        all[i] = (item){(i * 5) % 8, h.list[i]};
        list[i] = all + i;
    }
    double *third = h.list[2];
    for (int k = 0; k < 3; k++) {
        order(&h);
        for (int i = 1; i < n; i++)
            *h.list[i] -= 0.7 * *h.list[i - 1] * x[i];
        *third *= 1.5;
    }
    qsort(list, n, sizeof *list, by_id);
    for (int k = -1; k < 10; k++) {
        item **found = bsearch(&k, list, n, sizeof *list, has_id);
        if (found != NULL) {
            *(*found)->value *= x[(k + 1) % n];
            sum += *(*found)->value * (k + 1);
            (*found)->value = h.list[(k + 2) % n];
        }
    }
    for (int i = 0; i < n; i++)
        sum += (i + 1) * *h.list[i] * *h.list[i] + i * *list[i]->value;
    for (int i = 0; i < n; i++)
        free(h.list[i]);
    free(h.list);
    return sum;
}
