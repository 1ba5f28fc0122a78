// check: main flags=-Itests/support
// enzyme_width: several tangents at once; several seeds at once.
#include "expect.h"

extern int enzyme_dup, enzyme_const, enzyme_width;

static double f(const double *x, double a)
{
    return x[0] * x[1] * a;
}

static void g(const double *x, double *y)
{
    y[0] = x[0] * x[0];
    y[1] = x[0] * x[1];
}

typedef struct {
    double v[3];
} three;
extern three __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff(void *, ...);

int main(void)
{
    double x[2] = {2.0, 5.0}, d1[2] = {1.0, 0.0}, d2[2] = {0.0, 1.0}, d3[2] = {1.0, 1.0};
    three t = __enzyme_fwddiff((void *)f, enzyme_width, 3, enzyme_dup, x, d1, d2, d3, enzyme_dup, 3.0, 0.0, 0.0, 1.0);
    EXPECT(t.v[0], 15.0);
    EXPECT(t.v[1], 6.0);
    EXPECT(t.v[2], 15.0 + 6.0 + 10.0);

    double y[2], first[2] = {1.0, 0.0}, second[2] = {0.0, 1.0}, b1[2] = {0.0}, b2[2] = {0.0};
    __enzyme_autodiff((void *)g, enzyme_width, 2, enzyme_dup, x, b1, b2, enzyme_dup, y, first, second);
    EXPECT(b1[0], 4.0);
    EXPECT(b1[1], 0.0);
    EXPECT(b2[0], 5.0);
    EXPECT(b2[1], 2.0);
    EXPECT(y[1], 10.0);
    EXPECT(second[1], 0.0);
    return expect_failures != 0;
}
