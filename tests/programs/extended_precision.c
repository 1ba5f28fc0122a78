// check: scalar n=3 real=long
// long double by value and its functions.
#include <math.h>

long double objective(long double a, long double b, long double c)
{
    return sinl(a) * expl(b) + sqrtl(c) * powl(a, b) + fmaxl(a, c) - atan2l(b, c) + c / a;
}
