// check: main flags=-Itests/support,-Itests/programs
// Static variables with rules, in a header: the compiler leaves out what nothing uses, unless it is told.
#include "expect.h"

#include <rules_in_header.h>

double __enzyme_autodiff(void *, ...);

static double f(double x)
{
    state += 1;
    return square(x) * state + stopped(x);
}

int main(void)
{
    EXPECT(__enzyme_autodiff((void *)f, 2.0), 400);
    return expect_failures != 0;
}
