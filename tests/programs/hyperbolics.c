// check: scalar n=2 range=0.2:0.8
// The hyperbolic family and its inverses.
#include <math.h>

double objective(double a, double b)
{
    return sinh(a) * cosh(b) - tanh(a * b) + asinh(a) * acosh(1.0 + b) + atanh(a * b);
}
