// check: scalar n=2 range=0.7:1.9
// pow with active base, active exponent, both, and small constants.
#include <math.h>

double objective(double a, double b)
{
    return pow(a, b) + pow(a, 3.0) + pow(2.0, b) + pow(a, 2) * pow(b, -1.5) + pow(a * b, 0.5);
}
