// check: scalar n=2 range=0.6:1.8
// erf, gamma functions, hypot and fma.
#include <math.h>

double objective(double a, double b)
{
    return erf(a) * erfc(b) + tgamma(a) + lgamma(b + 1.0) * hypot(a, b) + fma(a, b, a * a);
}
