// check: main flags=-Itests/support
// Derivatives of pow and cpow at 0, of the first to the fourth order: n!/(n-k)! 0^(n-k) for whole exponents.
#include "expect.h"

#include <complex.h>

extern double __enzyme_fwddiff(void *, ...);

static double real_power(double x, double y, double p)
{
    return pow(x + 2 * y, p);
}

static double complex_power(double x, double y, double p)
{
    double complex value = cpow(x + y * I, p);
    return creal(value) + 3 * cimag(value);
}

#define ORDERS(f)                                                                                                      \
    static double f##1(double x, double y, double p)                                                                   \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f, x, 1.0, y, 0.0, p, 0.0);                                                    \
    }                                                                                                                  \
    static double f##2(double x, double y, double p)                                                                   \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f##1, x, 1.0, y, 0.0, p, 0.0);                                                 \
    }                                                                                                                  \
    static double f##3(double x, double y, double p)                                                                   \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f##2, x, 1.0, y, 0.0, p, 0.0);                                                 \
    }                                                                                                                  \
    static double f##4(double x, double y, double p)                                                                   \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f##3, x, 1.0, y, 0.0, p, 0.0);                                                 \
    }                                                                                                                  \
    static double f##_xy(double x, double y, double p)                                                                 \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f##1, x, 0.0, y, 1.0, p, 0.0);                                                 \
    }                                                                                                                  \
    static void check_##f(double mixed)                                                                                \
    {                                                                                                                  \
        for (int n = 1; n <= 5; n++) {                                                                                 \
            EXPECT(f##1(0.0, 0.0, n), n == 1);                                                                         \
            EXPECT(f##2(0.0, 0.0, n), 2 * (n == 2));                                                                   \
            EXPECT(f##3(0.0, 0.0, n), 6 * (n == 3));                                                                   \
            EXPECT(f##4(0.0, 0.0, n), 24 * (n == 4));                                                                  \
            EXPECT(f##_xy(0.0, 0.0, n), mixed * (n == 2));                                                             \
        }                                                                                                              \
        /* Infinite, of cpow with two parts that are infinite or NaN */                                                \
        EXPECT(!isfinite(f##2(0.0, 0.0, 1.5)), 1);                                                                     \
        EXPECT(f##1(0.0, 0.0, 1.5), 0);                                                                                \
        EXPECT(f##2(0.0, 0.0, 2.5), 0);                                                                                \
        EXPECT(f##3(0.0, 0.0, 3.5), 0);                                                                                \
        EXPECT(f##4(0.0, 0.0, 4.5), 0);                                                                                \
    }

ORDERS(real_power)
ORDERS(complex_power)

int main(void)
{
    check_real_power(4.0);
    /* i z'' of z^2: the imaginary part counts three times */
    check_complex_power(6.0);
    return expect_failures != 0;
}
