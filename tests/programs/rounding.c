// check: scalar n=2 range=2.15:2.35
// Rounding is flat; the remainder of a division is not.
#include <math.h>

double objective(double a, double b)
{
    double fraction = a - floor(a);
    double folded = fmod(7.0 * a, b) + remainder(5.0 * b, a);
    return fraction * ceil(b) + trunc(a) * b + round(b) * folded + rint(a) + nearbyint(b) * a;
}
