// check: scalar n=2 range=2.1:3.9
// frexp, ldexp, modf, copysign, scalbn: a number taken apart and put together.
#include <math.h>

double objective(double a, double b)
{
    int exponent;
    double mantissa = frexp(a, &exponent);
    double whole;
    double rest = modf(b, &whole);
    return mantissa * b + ldexp(b, exponent) + rest * whole * a + copysign(a, -b) * b + scalbn(a, 3) * 0.1;
}
