// check: scalar n=1 range=0.3:0.9
// The exponential and logarithm family of libm.
#include <math.h>

double objective(double a)
{
    return exp(a) + exp2(a) + expm1(a) * log(a) + log2(a + 1.0) + log10(a + 2.0) + log1p(a) * cbrt(a) + sqrt(a);
}
