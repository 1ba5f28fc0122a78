// check: main flags=-Itests/support
// Derivatives at ties, kinks and ends of domains: finite where a one-sided derivative is, and the documented choice.
#include "expect.h"

extern double __enzyme_autodiff(double (*)(double), double);

static double absolute(double x) { return fabs(x); }
static double tie(double x) { return fmax(x, x); }
static double relu(double x) { return x > 0.0 ? x : 0.0; }
static double product(double x) { return x * fabs(x); }
static double guarded(double x) { return x == 0.0 ? 0.0 : x * sin(1.0 / x); }
static double length(double x) { return hypot(x, 3.0); }
static double angle(double x) { return atan2(x, -1.0); }
static double unused_root(double x) { return x > 0.0 ? sqrt(x) : 2.0 * x; }

int main(void)
{
    EXPECT(fabs(__enzyme_autodiff(absolute, 0.0)) <= 1.0, 1.0);
    EXPECT(__enzyme_autodiff(tie, 1.0), 1.0);
    EXPECT(__enzyme_autodiff(relu, 0.0), 0.0);
    EXPECT(__enzyme_autodiff(product, 0.0), 0.0);
    EXPECT(__enzyme_autodiff(guarded, 0.0), 0.0);
    EXPECT(__enzyme_autodiff(length, 0.0), 0.0);
    EXPECT(__enzyme_autodiff(angle, 0.0), -1.0);
    EXPECT(__enzyme_autodiff(unused_root, 0.0), 2.0);
    EXPECT(__enzyme_autodiff(unused_root, -1.0), 2.0);
    return expect_failures != 0;
}
