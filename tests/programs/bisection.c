// check: scalar n=2 range=1.1:1.9
// Bisection to bracket a root, then one Newton step that carries the derivative.
#include <math.h>

static double residual(double t, double a, double b)
{
    return exp(t) * a - 5.0 * b + t;
}

double objective(double a, double b)
{
    double low = 0.0, high = 5.0;
    for (int i = 0; i < 60 && high - low > 1e-14; i++) {
        double mid = 0.5 * (low + high);
        if (residual(mid, a, b) < 0.0)
            low = mid;
        else
            high = mid;
    }
    double root = 0.5 * (low + high);
    root -= residual(root, a, b) / (exp(root) * a + 1.0);
    return root * root * b;
}
