// check: main flags=-Itests/support
// Structs of the caller's with pointers in them, sorted in place: shadows keep pointing where the structs do.
#include "expect.h"
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

enum { N = 5, NUMBERS = 3 * N };

typedef struct {
    double weights[2];
    int tag;
} leaf;

typedef struct {
    double key;
    leaf *at;
    short id;
    leaf **back;
} record;

static double rank(const record *r)
{
    return r->key + (*r->back)->weights[0];
}

static int by_rank(const void *a, const void *b)
{
    double l = rank(a), r = rank(b);
    return (l > r) - (l < r);
}

static double f(record *r, int n)
{
    double sum = 0.0;
    qsort(r, n, sizeof *r, by_rank);
    for (int i = 0; i < n; i++) {
        r[i].at->weights[1] += r[(i + 1) % n].key * r[i].at->weights[0] * (r[i].id + 1);
        sum += r[i].key * r[i].at->weights[1] * (i + 1);
    }
    qsort(r, n - 1, sizeof *r, by_rank);
    for (int i = 0; i < n; i++) {
        (*r[i].back)->weights[0] *= 1 + 0.1 * i * r[i].key;
        r[i].key += (*r[i].back)->weights[0];
        sum += r[i].key * i;
    }
    return sum;
}

static leaf leaves[N], shadow_leaves[N], *list[N], *shadow_list[N];
static record records[N], shadows[N];

static double *number(leaf *l, record *r, int i)
{
    return i % 3 == 2 ? &r[i / 3].key : &l[i / 3].weights[i % 3];
}

static void start(const double *numbers, const double *others)
{
    for (int i = 0; i < N; i++) {
        list[i] = &leaves[i * 2 % N];
        shadow_list[i] = &shadow_leaves[i * 2 % N];
        leaves[i].tag = i;
        records[i] = (record){0.0, &leaves[(i * 3 + 1) % N], i, &list[i]};
        shadows[i] = (record){0.0, &shadow_leaves[(i * 3 + 1) % N], 0, &shadow_list[i]};
    }
    for (int i = 0; i < NUMBERS; i++) {
        *number(leaves, records, i) = numbers[i];
        *number(shadow_leaves, shadows, i) = others[i];
    }
}

static double along(leaf *l, record *r, const double *direction)
{
    double sum = 0.0;
    for (int i = 0; i < NUMBERS; i++)
        sum += *number(l, r, i) * direction[i];
    return sum;
}

static double value(const double *x, const double *v, const double *w, double h)
{
    double moved[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        moved[i] = x[i] + h * v[i];
    start(moved, v);
    double sum = f(records, N);
    return sum + along(leaves, records, w);
}

static void expect_same_places(void)
{
    for (int i = 0; i < N; i++) {
        EXPECT(shadows[i].at - shadow_leaves, records[i].at - leaves);
        EXPECT(shadows[i].back - shadow_list, records[i].back - list);
    }
}

int main(void)
{
    double x[NUMBERS], v[NUMBERS], w[NUMBERS], h = 1e-5;
    for (int i = 0; i < NUMBERS; i++) {
        x[i] = i * 7 % 15 * 0.13 + 0.05 * i;
        w[i] = i * 4 % 15 * 0.1 - 0.5;
        v[i] = i * 11 % 15 * 0.1 - 0.6;
    }
    double difference = (value(x, v, w, h) - value(x, v, w, -h)) / (2 * h);
    start(x, v);
    double forward = __enzyme_fwddiff((void *)f, enzyme_dup, records, shadows, enzyme_const, N);
    forward += along(shadow_leaves, shadows, w);
    expect_same_places();
    start(x, w);
    __enzyme_autodiff((void *)f, enzyme_dup, records, shadows, enzyme_const, N);
    expect_same_places();
    EXPECT(along(shadow_leaves, shadows, v), forward);
    EXPECT(fabs(difference - forward) < 1e-6 * (1 + fabs(forward)), 1);
    return expect_failures != 0;
}
