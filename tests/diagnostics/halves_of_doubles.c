#include <stdlib.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

typedef float __attribute__((may_alias)) half;
typedef struct {
    volatile int n;
    double d[2];
} pair;

static void put(double *p, double x, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = x * x * (i + 1);
}

__attribute__((noinline)) static void part(half *to, const half *from)
{
    *to = *from;
}

/* moves numbers in halves: adjoints of halves do not add up to those of the number */
static double f(double x)
{
    pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    double sum = 0.0;
    a->n = b->n = 2;
    put(a->d, x, a->n);
    for (int i = 0; i < 4; i++)
        part((half *)b->d + i, (half *)a->d + i);
    for (int i = 0; i < b->n; i++)
        sum += b->d[i] + 0.5 * a->d[i];
    free(a);
    free(b);
    return sum;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, 1.5) > 0.0;
}
