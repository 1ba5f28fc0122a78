// check: main flags=-Itests/support
// Values that are thrown away as what they are says (`isinf`, `fabs(y) > …`), where their slopes are not finite: of the
// first and second order, in all modes.
#include "expect.h"

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

#define FUNCTION(F, ...)                                                                                               \
    __attribute__((noinline)) static double F(double x) __VA_ARGS__                                                    \
    static double F##_reverse(double x) { return __enzyme_autodiff((void *)F, x); }                                    \
    static double F##_forward(double x) { return __enzyme_fwddiff((void *)F, x, 1.0); }                                \
    static void F##_check(double x, double slope, double curvature)                                                    \
    {                                                                                                                  \
        EXPECT(F##_reverse(x), slope);                                                                                 \
        EXPECT(F##_forward(x), slope);                                                                                 \
        EXPECT(__enzyme_autodiff((void *)F##_reverse, x), curvature);                                                  \
        EXPECT(__enzyme_fwddiff((void *)F##_reverse, x, 1.0), curvature);                                              \
        EXPECT(__enzyme_autodiff((void *)F##_forward, x), curvature);                                                  \
        EXPECT(__enzyme_fwddiff((void *)F##_forward, x, 1.0), curvature);                                              \
    }

FUNCTION(of_infinite, {
    const double y = exp(x);
    return isinf(y) ? x * x : y;
})
FUNCTION(of_finite, {
    const double y = exp(x);
    return isfinite(y) ? y : x * x;
})
FUNCTION(of_large, {
    double y = exp(x);
    if (fabs(y) > 1e300)
        y = x * x;
    return y;
})
FUNCTION(of_pole, {
    const double y = log(x - 800);
    return isinf(y) ? x * x : y;
})
FUNCTION(of_none, {
    const double y = sqrt(x - 800);
    return isnan(y) || y == 0 ? x * x : y;
})
FUNCTION(of_sign, {
    const double y = sqrt(x);
    return x > 0 ? y : x * x * x;
})

int main(void)
{
    of_infinite_check(800, 1600, 2);
    of_finite_check(800, 1600, 2);
    of_large_check(800, 1600, 2);
    of_pole_check(800, 1600, 2);
    of_none_check(800, 1600, 2);
    of_sign_check(0, 0, 0);
    return expect_failures != 0;
}
