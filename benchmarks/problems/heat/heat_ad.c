/* The gradient asked of the compiler: same interface as heat_adj.c. */
#ifdef PRIMAL_ELSEWHERE
#include "heat.h"
#else
#include "heat.c"
#endif
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void heat_gradient(int n, int steps, double dt, const double *start, const double *k, double *g_start, double *g_k)
{
    memset(g_start, 0, sizeof(double) * n * n);
    memset(g_k, 0, sizeof(double) * n * n);
    __enzyme_autodiff((void *)heat_objective, enzyme_const, n, enzyme_const, steps, enzyme_const, dt, enzyme_dup, start,
                      g_start, enzyme_dup, k, g_k);
}
