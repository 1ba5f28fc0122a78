// check: scalar n=2
// Scalars by value: no memory at all.
#include <math.h>

double objective(double a, double b)
{
    return a * sin(b) / (1.0 + a * a) - exp(-a * b);
}
