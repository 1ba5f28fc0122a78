// check: main flags=-Itests/support
// qsort and bsearch in vector mode, in split mode with a tape, in place, and in derivatives of derivatives.
#include "expect.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_width;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
typedef struct {
    double a, b;
} two;
extern two __enzyme_fwddiff_two(void *, ...);

enum { N = 6 };

typedef struct {
    int id;
    double key, value;
} item;

static int by_key(const void *a, const void *b)
{
    const item *p = a, *q = b;
    return (p->key > q->key) - (p->key < q->key);
}

static int found(const void *key, const void *element)
{
    double x = *(const double *)key, y = ((const item *)element)->key;
    return x < y - 0.25 ? -1 : x > y + 0.25;
}

// In place: what is in x afterwards counts, too.
static void sorted(item *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i].key *= x[i].value;
    qsort(x, n, sizeof *x, by_key);
    for (int i = 1; i < n; i++)
        x[i].value *= x[i - 1].key * (1 + x[i].id);
}

static double f(const double *x, int n)
{
    item items[N];
    for (int i = 0; i < n; i++)
        items[i] = (item){i, cos(2 * x[i]) * 3, x[i] * x[(i + 1) % n]};
    sorted(items, n);
    double middle = items[2].key, sum = 0.0;
    item *at = bsearch(&middle, items, n, sizeof *items, found);
    for (int i = 0; i < n; i++)
        sum += (i + 1) * items[i].value * items[i].key;
    return sum + at->value * at->value;
}

static void gradient(const double *x, double *bar, int n)
{
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, n);
}

static double slope(const double *x, const double *v, int n)
{
    return __enzyme_fwddiff((void *)f, enzyme_dup, x, v, enzyme_const, n);
}

static double moved(const double *x, const double *v, const double *w, double h)
{
    double at[N], bar[N] = {0}, sum = 0.0;
    for (int i = 0; i < N; i++)
        at[i] = x[i] + h * v[i];
    gradient(at, bar, N);
    for (int i = 0; i < N; i++)
        sum += bar[i] * w[i];
    return w[0] == 0.0 ? f(at, N) : sum;
}

static double difference(const double *x, const double *v, const double *w)
{
    double h = 1e-4;
    return (8 * (moved(x, v, w, h) - moved(x, v, w, -h)) - (moved(x, v, w, 2 * h) - moved(x, v, w, -2 * h))) / (12 * h);
}

int main(void)
{
    double x[N] = {0.3, 1.1, 0.7, 1.9, 0.2, 1.4}, v[N] = {1, -2, 0.5, 0.25, -1, 3}, w[N] = {0.5, 1, -1, 2, 0.75, -0.5};
    double none[N] = {0}, bar[N] = {0}, product[N] = {0}, again[N] = {0}, bars[N] = {0};
    double along = 0.0, second = 0.0;
    gradient(x, bar, N);
    for (int i = 0; i < N; i++)
        along += bar[i] * v[i];
    EXPECT(fabs(along - difference(x, v, none)) <= 1e-8 * (1 + fabs(difference(x, v, none))), 1);
    EXPECT(slope(x, v, N), along);

    two both = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, enzyme_dup, x, v, w, enzyme_const, N);
    EXPECT(both.a, along);
    EXPECT(both.b, slope(x, w, N));

    memset(bar, 0, sizeof bar);
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, bar, product, enzyme_const, N);
    for (int i = 0; i < N; i++)
        second += product[i] * w[i];
    EXPECT(fabs(second - difference(x, v, w)) <= 1e-6 * (1 + fabs(difference(x, v, w))), 1);
    __enzyme_autodiff((void *)slope, enzyme_dup, x, again, enzyme_dup, v, bars, enzyme_const, N);
    for (int i = 0; i < N; i++)
        EXPECT(fabs(again[i] - product[i]) <= 1e-10 * (1 + fabs(product[i])), 1);

    item items[N], shadow[N], tangents[N];
    for (int i = 0; i < N; i++) {
        items[i] = (item){i, x[i], 1 + x[(i + 1) % N]};
        tangents[i] = (item){i, v[i], w[i]};
        shadow[i] = (item){0, 1.0 + i, 0.5 - i};
    }
    item start[N], forward[N], seeds[N];
    memcpy(start, items, sizeof items);
    memcpy(forward, tangents, sizeof tangents);
    memcpy(seeds, shadow, sizeof shadow);
    __enzyme_fwddiff((void *)sorted, enzyme_dup, items, forward, enzyme_const, N);
    double one = 0.0, other = 0.0;
    for (int i = 0; i < N; i++)
        one += forward[i].key * seeds[i].key + forward[i].value * seeds[i].value;
    memcpy(items, start, sizeof items);
    void *tape = __enzyme_augmentfwd((void *)sorted, enzyme_dup, items, shadow, enzyme_const, N);
    for (int i = 1; i < N; i++)
        EXPECT(items[i].key > items[i - 1].key, 1);
    __enzyme_reverse((void *)sorted, enzyme_dup, items, shadow, enzyme_const, N, tape);
    for (int i = 0; i < N; i++)
        other += tangents[i].key * shadow[i].key + tangents[i].value * shadow[i].value;
    EXPECT(other, one);
    return expect_failures != 0;
}
