// check: main flags=-Itests/support
// Powers with constant exponents, where the base is zero and where it is negative.
#include "expect.h"

extern double __enzyme_autodiff(double (*)(double), double);

static double cube(double x) { return pow(x, 3.0); }
static double square(double x) { return pow(x, 2); }
static double steep(double x) { return pow(x, 1.5); }
static double linear(double x) { return pow(x, 1.0); }
static double none(double x) { return pow(x, 0.0) + 2.0 * x; }

int main(void)
{
    EXPECT(__enzyme_autodiff(cube, 0.0), 0.0);
    EXPECT(__enzyme_autodiff(cube, -2.0), 12.0);
    EXPECT(__enzyme_autodiff(square, 0.0), 0.0);
    EXPECT(__enzyme_autodiff(square, -3.0), -6.0);
    EXPECT(__enzyme_autodiff(steep, 0.0), 0.0);
    EXPECT(__enzyme_autodiff(linear, 0.0), 1.0);
    EXPECT(__enzyme_autodiff(none, 0.0), 2.0);
    EXPECT(__enzyme_autodiff(none, -1.0), 2.0);
    return expect_failures != 0;
}
