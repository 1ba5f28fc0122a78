// check: array n=3 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// Doubles that are moved as pairs of floats: the adjoints of halves do not add up to that of the number.
#include <stdlib.h>

typedef float __attribute__((may_alias)) half;
typedef struct { volatile int n; double d[2]; } pair;

static void put(double *p, double x, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = x * x * (i + 1);
}

__attribute__((noinline)) static void part(half *to, const half *from) { *to = *from; }

double objective(const double *x, int n)
{
    pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    double sum = 0.0;
    a->n = b->n = 2;
    for (int k = 0; k < n; k++) {
        put(a->d, x[k], a->n);
        for (int i = 0; i < 4; i++)
            part((half *)b->d + i, (half *)a->d + i);
        for (int i = 0; i < b->n; i++)
            sum += b->d[i] + 0.5 * a->d[i];
    }
    free(a);
    free(b);
    return sum;
}
