/* max(x, 0)^3, as it is written in many models. */
#include <math.h>

static double cube(double x)
{
    return pow(x, 3.0);
}

double relu3(double x)
{
    double result = 0.0;
    if (x > 0.0)
        result = cube(x);
    return result;
}
