/* The gradient asked of the compiler: same interface as spmv_adj.c. */
#include "spmv.c"
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void spmv_gradient(int n, int rounds, const int *first, const int *column, const double *a, const double *start, double *ga,
                   double *gstart)
{
    memset(ga, 0, sizeof(double) * first[n]);
    memset(gstart, 0, sizeof(double) * n);
    __enzyme_autodiff((void *)spmv_objective, enzyme_const, n, enzyme_const, rounds, enzyme_const, first, enzyme_const, column,
                      enzyme_dup, a, ga, enzyme_dup, start, gstart);
}
