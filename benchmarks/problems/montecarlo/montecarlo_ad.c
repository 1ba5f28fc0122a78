/* The gradient asked of the compiler: same interface as montecarlo_adj.c. */
#include "montecarlo.c"
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void montecarlo_gradient(int paths, int steps, double years, const double *market, const double *vol, const double *normal,
                         double *gmarket, double *gvol)
{
    memset(gmarket, 0, sizeof(double) * 3);
    memset(gvol, 0, sizeof(double) * steps);
    __enzyme_autodiff((void *)montecarlo_objective, enzyme_const, paths, enzyme_const, steps, enzyme_const, years, enzyme_dup,
                      market, gmarket, enzyme_dup, vol, gvol, enzyme_const, normal);
}
