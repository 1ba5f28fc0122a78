// check: array n=6
// Numbers scaled by powers of two, of which the exponent is a number, too.
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 600
#include <math.h>

double scalb(double x, double exponent);

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += scalb(sin(x[i]), i - 2) * scalbn(x[(i + 1) % n], i) + significand(x[i] + 4.25);
    return sum;
}
