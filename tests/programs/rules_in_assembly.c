// check: main flags=-Itests/support with=rules_in_assembly_functions.ll
// Rules in another unit, as LLVM's own metadata and attributes, and as internal variables.
#include "expect.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double f(double);
double inact(double);
double lg(double);
double cube(double);

static double g(double x)
{
    return f(x) + inact(x) + lg(x);
}

static double h(double x)
{
    return 2.0 * cube(x);
}

int main(void)
{
    EXPECT(__enzyme_autodiff((void *)g, 2.0), 200 + 1.0 / 3);
    EXPECT(__enzyme_fwddiff((void *)g, 2.0, 1.0), 20 + 1.0 / 3);
    EXPECT(__enzyme_autodiff((void *)h, 2.0), 2000.0);
    EXPECT(__enzyme_fwddiff((void *)h, 2.0, 1.0), 4000.0);
    return expect_failures != 0;
}
