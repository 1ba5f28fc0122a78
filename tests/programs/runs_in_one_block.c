// check: array n=4
// Runs of unknown length behind one another in one block of bytes, so that a header may lie where elements do: numbers
// and pointers of headers beside integers and pointers of elements.
#include <stdlib.h>
#include <string.h>
struct weighted { int k; double *p; };
struct scaled { double u; int n; struct weighted items[]; };
struct listed { long m; double v; double *items[]; };
struct shared { double *q; int n; int kinds[]; };

// No function: what it is given would be of any of these types.
#define TWICE(block, from, size, step)                                                                                 \
    char *block = malloc(2 * ((size) + 16));                                                                           \
    size_t step = ((size) + 15) / 16 * 16;                                                                             \
    memcpy(block, from, size);                                                                                         \
    memcpy(block + step, from, size)

static double of_scaled(double *x, int n)
{
    size_t size = sizeof(struct scaled) + n * sizeof(struct weighted);
    struct scaled *r = malloc(size);
    r->u = x[0] * x[1];
    r->n = n;
    for (int i = 0; i < n; i++)
        r->items[i] = (struct weighted){i + 2, x + i % 3};
    double sum = 0;
    for (int j = 0; j < 3; j++) {
        TWICE(block, r, size, step);
        struct scaled *second = (struct scaled *)(block + step), *one = (struct scaled *)(block + (j % 2) * step);
        second->items[j % n] = second->items[(j + 1) % n];
        for (int i = 0; i < one->n; i++)
            sum += *one->items[i].p * (one->items[i].k % 3 + 1) * one->u;
        free(block);
    }
    free(r);
    return sum;
}

static double of_listed(double *x, int n)
{
    double own[4];
    for (int i = 0; i < 4; i++)
        own[i] = x[i] * x[i] * i;
    size_t size = sizeof(struct listed) + n * sizeof(double *);
    struct listed *r = malloc(size);
    r->m = n;
    r->v = x[2] * x[3];
    for (int i = 0; i < n; i++)
        r->items[i] = own + i % 4;
    double sum = 0;
    for (int j = 0; j < 2; j++) {
        TWICE(block, r, size, step);
        ((struct listed *)(block + step))->v = x[1];
        struct listed *one = (struct listed *)(block + (j % 2) * step);
        for (int i = 0; i < one->m; i++)
            sum += *one->items[i] * (i + 1);
        free(block);
    }
    free(r);
    return sum;
}

static double of_shared(double *x, int n)
{
    size_t size = sizeof(struct shared) + n * sizeof(int);
    struct shared *r = malloc(size);
    r->q = x;
    r->n = n;
    for (int i = 0; i < n; i++)
        r->kinds[i] = (i * 3 + 1) % 4;
    double sum = 0;
    for (int j = 0; j < 2; j++) {
        TWICE(block, r, size, step);
        struct shared *one = (struct shared *)(block + (j % 2) * step);
        ((struct shared *)(block + step))->q = x + 1 - j;
        for (int i = 0; i < one->n; i++)
            sum += one->q[one->kinds[i] % 3] * x[i];
        free(block);
    }
    free(r);
    return sum;
}

double objective(double *x, int n) { return of_scaled(x, n) + of_listed(x, n + 2) * of_shared(x, n); }
