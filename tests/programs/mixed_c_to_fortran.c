// check: array n=9,4 with=mixed_c_to_fortran_part.f90
// C calls Fortran: matrices by columns, assumed-size and assumed-shape arguments, a function pointer.
#include <stdlib.h>

void multiply(const double *a, const double *b, double *c, int n);
double folded(const double *x, int n, double (*step)(double, double));

static double step(double sum, double v)
{
    return sum * 0.5 + v * v;
}

double objective(double *x, int n)
{
    int size = n == 9 ? 3 : 2;
    double *c = malloc(n * sizeof *c);
    multiply(x, x, c, size);
    double sum = folded(c, n, step);
    free(c);
    return sum + folded(x, n, step);
}
