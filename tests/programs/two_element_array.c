// check: array n=6
// A state of two elements, overwritten in place inside a loop.
#include <math.h>

double objective(const double *x, int n)
{
    double y[2] = {x[0], x[1]};
    for (int i = 2; i < n; i++) {
        double t = y[0];
        y[0] = y[1] * x[i] + 0.1 * t;
        y[1] = sin(t) - y[0] * y[1];
    }
    return y[0] * y[1] + y[1];
}
