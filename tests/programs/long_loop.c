// check: scalar n=2 range=0.4:0.6
// A hundred thousand steps of a contracting map.
#include <math.h>

double objective(double a, double b)
{
    double s = a, sum = 0.0;
    for (int i = 0; i < 100000; i++) {
        s = 0.999 * s + 0.001 * sin(b * s + a);
        sum += s * 1e-5;
    }
    return s + sum;
}
