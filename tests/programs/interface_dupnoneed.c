// check: main flags=-Itests/support
// enzyme_dupnoneed: the output itself is not asked for, its adjoint is used all the same.
#include "expect.h"

extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;

static void f(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = sin(x[i]) * x[0];
}

extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

int main(void)
{
    double x[3] = {0.3, 0.6, 0.9}, bar[3] = {0.0}, y[3] = {0.0}, seed[3] = {1.0, 2.0, 3.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_dupnoneed, y, seed, enzyme_const, 3);
    EXPECT(bar[1], 2.0 * cos(0.6) * 0.3);
    EXPECT(bar[0], cos(0.3) * 0.3 + sin(0.3) + 2.0 * sin(0.6) + 3.0 * sin(0.9));
    EXPECT(seed[2], 0.0);
    double dot[3] = {1.0, 0.0, 0.0}, out[3] = {0.0};
    __enzyme_fwddiff((void *)f, enzyme_dup, x, dot, enzyme_dupnoneed, y, out, enzyme_const, 3);
    EXPECT(out[0], cos(0.3) * 0.3 + sin(0.3));
    EXPECT(out[2], sin(0.9));
    return expect_failures != 0;
}
