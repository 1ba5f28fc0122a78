// check: main flags=-Itests/support
// Two arguments point into one array at different offsets, and a third pointer may be either.
#include "expect.h"

extern int enzyme_dup, enzyme_const;

static double f(double *p, double *q, int first, double s)
{
    double *r = first ? p : q, before = p[0];
    q[1] = s * s;
    r[2] *= 1.5;
    return before * before * before * r[2];
}

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

int main(void)
{
    double a[4] = {1.1, 1.2, 1.3, 1.4}, bar[4] = {0.0};
    double s_bar = __enzyme_autodiff((void *)f, enzyme_dup, a + 1, bar + 1, enzyme_dup, a, bar, enzyme_const, 1, 0.7);
    /* f = 1.5 a[1]^3 a[3] */
    EXPECT(bar[0], 0.0);
    EXPECT(bar[1], 4.5 * 1.2 * 1.2 * 1.4);
    EXPECT(bar[2], 0.0);
    EXPECT(bar[3], 1.5 * 1.2 * 1.2 * 1.2);
    EXPECT(s_bar, 0.0);
    double b[4] = {1.1, 1.2, 1.3, 1.4}, dot[4] = {1.0, 1.0, 1.0, 1.0};
    EXPECT(__enzyme_fwddiff((void *)f, enzyme_dup, b + 1, dot + 1, enzyme_dup, b, dot, enzyme_const, 1, 0.7, 1.0),
           4.5 * 1.2 * 1.2 * 1.4 + 1.5 * 1.2 * 1.2 * 1.2);
    return expect_failures != 0;
}
