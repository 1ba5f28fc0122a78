// check: scalar n=2 range=1.1:2.9
// do-while: the arithmetic-geometric mean, always one step and then as many as it takes.
#include <math.h>

double objective(double a, double b)
{
    double mean;
    do {
        mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    } while (fabs(a - b) > 1e-14 * a);
    return mean;
}
