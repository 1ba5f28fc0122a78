// check: main flags=-Itests/support
// enzyme_seed: the adjoint of the result is given instead of 1.
#include "expect.h"

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_seed;

static double f(const double *x, int n)
{
    double product = 1.0;
    for (int i = 0; i < n; i++)
        product *= x[i];
    return product;
}

extern void __enzyme_autodiff(void *, ...);

int main(void)
{
    double x[3] = {2.0, 3.0, 5.0}, bar[3] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_seed, -2.0, enzyme_dup, x, bar, enzyme_const, 3);
    EXPECT(bar[0], -30.0);
    EXPECT(bar[1], -20.0);
    EXPECT(bar[2], -12.0);
    return expect_failures != 0;
}
