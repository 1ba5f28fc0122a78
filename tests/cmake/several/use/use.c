/* The gradient through two functions of an installed library, against differences. */
#include <math.h>
#include "springs.h"
int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
static double total(const double *x, int n) { return energy(x, n, 2.0) * damping(x, n); }
int main(void)
{
    double x[3] = {1, 2, 4}, g[3] = {0};
    __enzyme_autodiff((void *)total, enzyme_dup, x, g, enzyme_const, 3);
    for (int i = 0; i < 3; i++) {
        const double h = 1e-5, at = x[i];
        x[i] = at + h;
        double slope = total(x, 3);
        x[i] = at - h;
        slope = (slope - total(x, 3)) / (2 * h);
        x[i] = at;
        if (fabs(slope - g[i]) > 1e-6 * fabs(slope))
            return 1;
    }
    return 0;
}
