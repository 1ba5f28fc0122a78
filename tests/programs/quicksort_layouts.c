// check: array n=7
// qsort and bsearch of elements of all kinds: packed, aligned to cache lines, complex, long double, with text in front.
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct __attribute__((packed)) {
    char mark;
    double value;
    short count;
} tight;

typedef struct {
    _Alignas(64) double value;
    int id;
} aligned;

typedef struct {
    char name[12];
    double value;
    float weight;
    char tail;
} named;

static int by_tight(const void *a, const void *b)
{
    double l = ((const tight *)a)->value, r = ((const tight *)b)->value;
    return (l > r) - (l < r);
}

static int by_real(const void *a, const void *b)
{
    double l = creal(*(const double complex *)a), r = creal(*(const double complex *)b);
    return (l > r) - (l < r);
}

static int by_aligned(const void *a, const void *b)
{
    if ((uintptr_t)a % 64 != 0 || (uintptr_t)b % 64 != 0)
        abort();
    double l = ((const aligned *)a)->value, r = ((const aligned *)b)->value;
    return (l > r) - (l < r);
}

static int by_long(const void *a, const void *b)
{
    long double l = *(const long double *)a, r = *(const long double *)b;
    return (l > r) - (l < r);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

double objective(const double *x, int n)
{
    tight a[7];
    double complex z[7];
    aligned g[7];
    long double w[7];
    named t[7];
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] = (tight){i, sin(6 * x[i]), -i};
        z[i] = cos(4 * x[i]) + I * x[i] * x[i];
        g[i] = (aligned){cos(7 * x[i]), i};
        w[i] = sinl(3.0L * x[i]) + i % 2;
        snprintf(t[i].name, sizeof t[i].name, "n%d", (i * 5 + 3) % 7);
        t[i].value = x[i] * x[(i + 1) % n];
        t[i].weight = i;
        t[i].tail = i;
    }
    qsort(a, n, sizeof *a, by_tight);
    qsort(z, n, sizeof *z, by_real);
    qsort(g, n, sizeof *g, by_aligned);
    qsort(w, n, sizeof *w, by_long);
    qsort(t, n, sizeof *t, by_name);
    for (int i = 0; i < n; i++) {
        sum += (i + 1) * a[i].value * a[i].value * (1 + a[i].mark - 2 * a[i].count);
        sum += creal(z[i]) * cimag(z[i]) * (i + 2) + g[i].value * g[i].value * g[i].id * i;
        sum += (double)(w[i] * w[i] * i) + t[i].value * (t[i].weight + t[i].tail + t[i].name[1] - '0');
    }
    named key = {.name = "n4"}, *found = bsearch(&key, t, n, sizeof *t, by_name);
    return found != NULL ? sum * found->value : sum;
}
