// check: main flags=-Itests/support
// A derivative of a derivative: Hessian times vector by forward mode over reverse mode.
#include "expect.h"

extern int enzyme_dup, enzyme_const;

static double f(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * x[i] + x[i] * x[(i + 1) % n];
    return sum;
}

extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

static void gradient(const double *x, double *bar, int n)
{
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, n);
}

int main(void)
{
    double x[3] = {1.0, 2.0, 3.0}, v[3] = {1.0, -1.0, 0.5}, bar[3] = {0.0}, product[3] = {0.0};
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, bar, product, enzyme_const, 3);
    for (int i = 0; i < 3; i++) {
        EXPECT(bar[i], 3.0 * x[i] * x[i] + x[(i + 1) % 3] + x[(i + 2) % 3]);
        EXPECT(product[i], 6.0 * x[i] * v[i] + v[(i + 1) % 3] + v[(i + 2) % 3]);
    }
    return expect_failures != 0;
}
