// check: main flags=-Itests/support
// enzyme_strong_zero: where nothing depends on a value, an infinite partial does no harm.
#include "expect.h"

#include <math.h>

extern int enzyme_dup, enzyme_width, enzyme_strong_zero;

static double __attribute__((noinline)) length(double a, double b)
{
    return sqrt(a * a + b * b);
}

static double first(const double *x)
{
    return x[0] + 0.0 * length(x[1], x[2]);
}

static double clipped(const double *x)
{
    double r = length(x[1], x[2]);
    return fmax(r, 1.0) * x[0];
}

static double scaled(const double *x)
{
    return sqrt(x[0]) * pow(x[1], 2) + sqrt(x[1] * x[0]);
}

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

int main(void)
{
    double x[3] = {2.0, 0.0, 0.0}, plain[3] = {0.0}, bar[3] = {0.0}, dot[3] = {1.0, 0.0, 0.0};
    __enzyme_autodiff((void *)clipped, enzyme_dup, x, plain);
    EXPECT(isnan(plain[1]), 1);
    __enzyme_autodiff((void *)clipped, enzyme_strong_zero, enzyme_dup, x, bar);
    EXPECT(bar[0], 1.0);
    EXPECT(bar[1], 0.0);
    EXPECT(bar[2], 0.0);
    double again[3] = {0.0};
    __enzyme_autodiff((void *)first, enzyme_strong_zero, enzyme_dup, x, again);
    EXPECT(again[0], 1.0);
    EXPECT(again[1], 0.0);
    EXPECT(__enzyme_fwddiff((void *)clipped, enzyme_dup, x, dot), 1.0); // a zero tangent is a strong zero at roots
    EXPECT(__enzyme_fwddiff((void *)clipped, enzyme_strong_zero, enzyme_dup, x, dot), 1.0);
    double zeros[2] = {0.0, 0.0}, ones[2] = {1.0, 1.0}, both[2] = {0.0, 0.0};
    EXPECT(__enzyme_fwddiff((void *)scaled, enzyme_strong_zero, enzyme_dup, zeros, ones), 0.0);
    __enzyme_autodiff((void *)scaled, enzyme_strong_zero, enzyme_dup, zeros, both);
    EXPECT(both[0], 0.0);
    EXPECT(both[1], 0.0);
    return expect_failures != 0;
}
