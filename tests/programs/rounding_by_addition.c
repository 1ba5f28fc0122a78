// check: array n=6 range=-2.7:2.6 tol=1e-4
// A number rounded by adding and subtracting a large constant; the exponential by range reduction that uses it.
#include <math.h>

static double rounded(double x)
{
    volatile double shifted = x + 0x1.8p52;
    return shifted - 0x1.8p52;
}

static double exponential(double x)
{
    double shifted = x * 1.4426950408889634 + 0x1.8p52;
    double k = shifted - 0x1.8p52, r = x - k * 0.6931471805599453;
    double p = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r / 720.0)))));
    return ldexp(p, (int)k);
}

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += exponential(x[i]) * (x[n - 1 - i] - rounded(x[n - 1 - i]));
    return sum;
}
