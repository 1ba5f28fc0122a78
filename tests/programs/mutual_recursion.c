// check: scalar n=2
// Two functions that call each other.
#include <math.h>

static double odd(double x, double y, int n);

static double even(double x, double y, int n)
{
    return n == 0 ? x * y : odd(sin(x), y + x, n - 1) * y;
}

static double odd(double x, double y, int n)
{
    return n == 0 ? x - y : even(x * y, cos(y), n - 1) + x;
}

double objective(double a, double b)
{
    return even(a, b, 5) + odd(b, a, 4);
}
