/* The gradient asked of the compiler: same interface as euler_adj.c. */
#ifdef PRIMAL_ELSEWHERE
#include "euler.h"
#else
#include "euler.c"
#endif
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void euler_gradient(int steps, double h, const double *y, const double *par, double *gy, double *gpar)
{
    memset(gy, 0, sizeof(double) * 3);
    memset(gpar, 0, sizeof(double) * 3);
    __enzyme_autodiff((void *)euler_objective, enzyme_const, steps, enzyme_const, h, enzyme_dup, y, gy, enzyme_dup, par, gpar);
}
