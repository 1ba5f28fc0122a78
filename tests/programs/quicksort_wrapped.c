// check: array n=7
// One function that calls qsort for arrays of several types; comparisons, sizes and qsort itself read from a table.
#include <math.h>
#include <stdlib.h>

typedef int (*compare)(const void *, const void *);

typedef struct {
    int id;
    double value;
} numbered;

typedef struct {
    double value;
    float weight;
    int id;
} weighted;

static int rising(const void *a, const void *b)
{
    double l = *(const double *)a, r = *(const double *)b;
    return (l > r) - (l < r);
}

static int by_value(const void *a, const void *b)
{
    return rising(&((const numbered *)a)->value, &((const numbered *)b)->value);
}

static int falling(const void *a, const void *b)
{
    return rising(b, a);
}

static int by_remainder(const void *a, const void *b)
{
    return ((const numbered *)a)->id % 3 - ((const numbered *)b)->id % 3;
}

__attribute__((noinline)) static void sort(void *array, size_t n, size_t size, compare f)
{
    qsort(array, n, size, f);
}

struct order {
    void (*sort)(void *, size_t, size_t, compare);
    compare f;
    size_t size;
} orders[] = {{qsort, by_value, sizeof(numbered)}, {sort, by_remainder, sizeof(numbered)}};

double objective(const double *x, int n)
{
    double plain[7], sum = 0.0;
    numbered a[7];
    weighted b[7];
    for (int i = 0; i < n; i++) {
        plain[i] = sin(4 * x[i]);
        a[i] = (numbered){i, cos(4 * x[i])};
        b[i] = (weighted){x[i] * x[i], i, i * 3};
    }
    sort(plain, n, sizeof *plain, rising);
    sort(a, n, sizeof *a, by_value);
    sort(b, n, sizeof *b, falling);
    for (int i = 0; i < n; i++) {
        sum += (i + 1) * plain[i] * a[i].value * (1 + a[i].id);
        sum += b[i].value * b[i].value * b[i].weight + b[i].id * plain[i];
    }
    for (int k = 0; k < 2; k++) {
        orders[k].sort(a, n, orders[k].size, orders[k].f);
        for (int i = 0; i < n; i++) {
            sum += (i + 1) * a[i].value * a[i].value;
            a[i].value *= 1 + 0.1 * x[i];
        }
    }
    return sum;
}
