#include <stdlib.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static int ascending(const void *a, const void *b)
{
    double *left = (double *)a, *right = (double *)b;
    if (*left < 0.0)
        *left = 0.0;
    return (*left > *right) - (*left < *right);
}

static double f(double *x, int n)
{
    qsort(x, n, sizeof *x, ascending);
    return x[0] * x[n - 1];
}

int main(void)
{
    double x[3] = {3.0, 1.0, 2.0}, bar[3] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, 3);
    return bar[0] > 0.0;
}
