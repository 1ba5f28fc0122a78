// check: main flags=-Itests/support with=rules_in_assembly_functions.ll
// Rules in another unit, as LLVM's own metadata and attributes.
#include "expect.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double f(double);
double inact(double);
double lg(double);

static double g(double x)
{
    return f(x) + inact(x) + lg(x);
}

int main(void)
{
    EXPECT(__enzyme_autodiff((void *)g, 2.0), 200 + 1.0 / 3);
    EXPECT(__enzyme_fwddiff((void *)g, 2.0, 1.0), 20 + 1.0 / 3);
    return expect_failures != 0;
}
