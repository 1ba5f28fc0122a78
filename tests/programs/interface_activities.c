// check: main flags=-Itests/support
// Markers: by-value adjoints returned as void, one number or a struct; constants; mixed with pointers.
#include "expect.h"

extern int enzyme_const, enzyme_dup, enzyme_out;

static double f(double a, const double *x, int n, double b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a * x[i] * x[i];
    return sum * b * b;
}

typedef struct {
    double a, b;
} pair;

extern pair __enzyme_autodiff_both(void *, ...);
extern double __enzyme_autodiff_one(void *, ...);
extern void __enzyme_autodiff_none(void *, ...);

int main(void)
{
    double x[3] = {1.0, 2.0, 3.0}, bar[3] = {0.0};
    pair both = __enzyme_autodiff_both((void *)f, enzyme_out, 2.0, enzyme_dup, x, bar, enzyme_const, 3, enzyme_out, 0.5);
    EXPECT(both.a, 14.0 * 0.25);
    EXPECT(both.b, 2.0 * 14.0 * 2.0 * 0.5);
    for (int i = 0; i < 3; i++)
        EXPECT(bar[i], 2.0 * 2.0 * x[i] * 0.25);

    double only = __enzyme_autodiff_one((void *)f, enzyme_out, 2.0, enzyme_const, x, enzyme_const, 3, enzyme_const, 0.5);
    EXPECT(only, 14.0 * 0.25);
    only = __enzyme_autodiff_one((void *)f, enzyme_const, 2.0, enzyme_const, x, enzyme_const, 3, enzyme_out, 0.5);
    EXPECT(only, 2.0 * 14.0 * 2.0 * 0.5);

    __enzyme_autodiff_none((void *)f, enzyme_const, 2.0, enzyme_dup, x, bar, enzyme_const, 3, enzyme_const, 1.0);
    for (int i = 0; i < 3; i++)
        EXPECT(bar[i], 2.0 * 2.0 * x[i] * 1.25);
    return expect_failures != 0;
}
