// check: array n=7,3,1
// Pointers that are moved up in their array, over each other, and structs with pointers and numbers likewise.
#include <string.h>

#define MOST 8

struct weighted {
    double *at;
    double weight;
};

static double sum_of(double *const *list, const struct weighted *pairs, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * *list[i] * *list[i] + pairs[i].weight * *pairs[i].at;
    return sum;
}

double objective(double *x, int n)
{
    double *list[MOST];
    struct weighted pairs[MOST];
    for (int i = 0; i < n; i++) {
        memmove(list + 1, list, i * sizeof *list);
        list[0] = &x[i];
        memmove(pairs + 1, pairs, i * sizeof *pairs);
        pairs[0].at = &x[(i + 1) % n];
        pairs[0].weight = x[i] * x[i];
    }
    return sum_of(list, pairs, n);
}
