/* The gradient asked of the compiler: same interface as rk4_adj.c. */
#ifdef PRIMAL_ELSEWHERE
#include "rk4.h"
#else
#include "rk4.c"
#endif
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void rk4_gradient(int steps, double h, const double *y, const double *par, double *gy, double *gpar)
{
    memset(gy, 0, sizeof(double) * 3);
    memset(gpar, 0, sizeof(double) * 3);
    __enzyme_autodiff((void *)rk4_objective, enzyme_const, steps, enzyme_const, h, enzyme_dup, y, gy, enzyme_dup, par, gpar);
}
