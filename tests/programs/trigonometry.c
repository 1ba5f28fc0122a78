// check: scalar n=2 range=0.2:0.8
// The trigonometric family and its inverses.
#include <math.h>

double objective(double a, double b)
{
    double direct = sin(a) * cos(b) + tan(a * b);
    double inverse = asin(a) + acos(b) * atan(a) + atan2(a, b) + atan2(-b, a) + atan2(a, -b);
    return direct * inverse;
}
