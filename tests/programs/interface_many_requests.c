// check: main flags=-Itests/support
// One function asked for in several ways, through casts, a typed pointer and from several callers.
#include "expect.h"

extern int enzyme_dup, enzyme_const, enzyme_out;

static double f(double *x, double a)
{
    x[0] *= a;
    return x[0] * x[0];
}

typedef double (*plain)(void);
extern double __enzyme_autodiff1(plain, ...);
extern double __enzyme_autodiff2(double (*)(double *, double), int, double *, double *, int, double);
extern void __enzyme_autodiff3(void *, ...);

static double first(double *x, double *bar, double a)
{
    return __enzyme_autodiff1((plain)(void *)f, enzyme_dup, x, bar, enzyme_out, a);
}

static double second(double *x, double *bar, double a)
{
    return __enzyme_autodiff2(f, enzyme_dup, x, bar, enzyme_out, a);
}

int main(void)
{
    double x = 3.0, bar = 0.0;
    EXPECT(first(&x, &bar, 2.0), 2.0 * 6.0 * 3.0);
    EXPECT(bar, 2.0 * 6.0 * 2.0);
    EXPECT(x, 6.0);
    bar = 0.0;
    EXPECT(second(&x, &bar, 0.5), 2.0 * 3.0 * 6.0);
    EXPECT(bar, 2.0 * 3.0 * 0.5);
    bar = 0.0;
    __enzyme_autodiff3((void *)f, enzyme_dup, &x, &bar, enzyme_const, 2.0);
    EXPECT(bar, 2.0 * 6.0 * 2.0);
    /* a shadow that is not zero is the adjoint of x after the call */
    bar = 1.0;
    __enzyme_autodiff3((void *)f, enzyme_dup, &x, &bar, enzyme_const, 0.5);
    EXPECT(bar, (2.0 * 3.0 + 1.0) * 0.5);
    return expect_failures != 0;
}
