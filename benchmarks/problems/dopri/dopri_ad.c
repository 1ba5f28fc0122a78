/* The gradient asked of the compiler: same interface as dopri_adj.c. */
#include "dopri.c"
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void dopri_gradient(const double *y, const double *par, double end, double tol, double *gy, double *gpar)
{
    memset(gy, 0, sizeof(double) * 2);
    memset(gpar, 0, sizeof(double) * 4);
    __enzyme_autodiff((void *)dopri_objective, enzyme_dup, y, gy, enzyme_dup, par, gpar, enzyme_const, end, enzyme_const, tol);
}
