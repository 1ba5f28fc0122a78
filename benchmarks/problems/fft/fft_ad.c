/* The gradient asked of the compiler: same interface as fft_adj.c. */
#include "fft.c"
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void fft_gradient(int n, const double *z, const double *w, double *gz)
{
    memset(gz, 0, sizeof(double) * 2 * n);
    __enzyme_autodiff((void *)fft_objective, enzyme_const, n, enzyme_dup, z, gz, enzyme_const, w);
}
