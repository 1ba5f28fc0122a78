// check: main flags=-Itests/support
// enzyme_primal_return: the value comes first, then the derivatives.
#include "expect.h"

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_primal_return;

static double f(double a, double *x)
{
    x[1] = a * x[0];
    return x[1] * x[1];
}

typedef struct {
    double value, a;
} with_adjoint;
typedef struct {
    double value, tangent;
} with_tangent;

extern with_adjoint __enzyme_autodiff(void *, ...);
extern with_tangent __enzyme_fwddiff(void *, ...);

int main(void)
{
    double x[2] = {3.0, 100.0}, bar[2] = {0.0, 0.0};
    with_adjoint r = __enzyme_autodiff((void *)f, enzyme_primal_return, enzyme_out, 2.0, enzyme_dup, x, bar);
    EXPECT(r.value, 36.0);
    EXPECT(r.a, 2.0 * 6.0 * 3.0);
    EXPECT(bar[0], 2.0 * 6.0 * 2.0);
    EXPECT(bar[1], 0.0);
    EXPECT(x[1], 6.0);

    double dot[2] = {0.5, 7.0};
    with_tangent t = __enzyme_fwddiff((void *)f, enzyme_primal_return, enzyme_dup, 2.0, 1.0, enzyme_dup, x, dot);
    EXPECT(t.value, 36.0);
    EXPECT(t.tangent, 2.0 * 6.0 * (3.0 + 2.0 * 0.5));
    EXPECT(dot[1], 3.0 + 2.0 * 0.5);
    return expect_failures != 0;
}
