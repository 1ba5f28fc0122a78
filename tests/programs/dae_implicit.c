// check: array n=4
// Implicit Euler for a differential-algebraic system: a scalar Newton iteration inside each time step.
#include <math.h>

double objective(const double *p, int n)
{
    double y = 1.0, z = 0.5, h = 0.1, sum = 0.0;
    for (int step = 0; step < 8; step++) {
        double next = y;
        for (int k = 0; k < 6; k++) {
            double w = sqrt(p[0] + next * next);             /* algebraic variable */
            double residual = next - y + h * (p[1] * next + p[2] * w * next);
            double slope = 1.0 + h * (p[1] + p[2] * (w + next * next / w));
            next -= residual / slope;
        }
        y = next;
        z = sqrt(p[0] + y * y);
        sum += h * y * z;
    }
    return sum + p[n - 1] * y;
}
