// check: main
// Two global pointers that ordinary code set to the same memory: what goes in through one comes out through the other.
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
    double *begin, *end;
} space;

static space *kept;
static double *tail;

static void set_up(int n)
{
    if (kept) {
        free(kept->begin);
        free(kept);
    }
    kept = malloc(sizeof *kept);
    kept->begin = malloc(n * sizeof(double));
    tail = kept->end = kept->begin + n;
}

static double f(const double *x, int n)
{
    double *p = tail;
    for (int i = 0; i < n; i++)
        *--p = x[i] * x[n - 1 - i];
    double sum = 0;
    for (const double *q = kept->begin; q != kept->end; q++)
        sum += *q * *q;
    return sum;
}

static int differs(double got, double want)
{
    return !(got > want - 1e-9 && got < want + 1e-9);
}

int main(void)
{
    int wrong = 0;
    for (int round = 0; round < 20; round++) {
        const int n = round % 5 == 4 ? 300000 + round : 2 + round * 7919 % 2000;
        double *x = malloc(n * sizeof *x), *bar = calloc(n, sizeof *bar), *dot = calloc(n, sizeof *dot);
        set_up(n);
        for (int i = 0; i < n; i++)
            x[i] = 1 + 0.1 * (i % 7);
        __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, n);
        dot[n / 2] = 1;
        wrong += differs(__enzyme_fwddiff((void *)f, enzyme_dup, x, dot, enzyme_const, n), bar[n / 2]);
        for (int i = 0; i < n; i++)
            wrong += differs(bar[i], 4 * x[i] * x[n - 1 - i] * x[n - 1 - i]);
        free(x);
        free(bar);
        free(dot);
    }
    if (wrong)
        printf("%d numbers are wrong\n", wrong);
    return wrong != 0;
}
