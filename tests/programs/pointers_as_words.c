// check: array n=6
// Pointers that travel as words: structs of one pointer copied by memcpy, swapped, kept in an integer array.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double *at; } Cursor;

__attribute__((noinline)) static void swap(Cursor *a, Cursor *b)
{
    Cursor t;
    memcpy(&t, a, sizeof t);
    memcpy(a, b, sizeof t);
    memcpy(b, &t, sizeof t);
}

static double through(uintptr_t word, int i)
{
    return ((double *)(word & ~(uintptr_t)1))[i];
}

double objective(const double *x, int n)
{
    double *u = malloc(sizeof(double) * n), *v = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++) {
        u[i] = x[i] * x[i];
        v[i] = x[i] + 1.0;
    }
    Cursor a = {u}, b = {v};
    if (x[0] > 0.1)
        swap(&a, &b);
    uintptr_t words[2] = {(uintptr_t)a.at, (uintptr_t)b.at};
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += through(words[i % 2], i) * ((double *)words[(i + 1) % 2])[0];
    free(u);
    free(v);
    return sum;
}
