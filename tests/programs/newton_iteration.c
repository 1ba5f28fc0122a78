// check: scalar n=2 range=1.2:2.5
// while with a trip count that depends on the data: Newton's method until convergence.
#include <math.h>

double objective(double a, double b)
{
    double r = a;
    while (fabs(r * r * r - a * b) > 1e-13 * a * b)
        r -= (r * r * r - a * b) / (3.0 * r * r);
    return r * b;
}
