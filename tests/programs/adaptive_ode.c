// check: array n=6 range=0.6:1.2
// Heun's method with step control: the number of steps and of halvings comes from the data.
#include <math.h>

static void rate(const double *y, const double *p, double *out)
{
    out[0] = p[0] * y[0] - p[1] * y[0] * y[1];
    out[1] = p[2] * y[0] * y[1] - p[3] * y[1];
}

double objective(const double *x, int n)
{
    double y[2] = {x[0], x[1]}, t = 0.0, h = 0.1;
    while (t < 1.0) {
        double k1[2], k2[2], mid[2], error;
        if (h > 1.0 - t)
            h = 1.0 - t;
        rate(y, x + 2, k1);
        do {
            mid[0] = y[0] + h * k1[0];
            mid[1] = y[1] + h * k1[1];
            rate(mid, x + 2, k2);
            error = 0.5 * h * (fabs(k2[0] - k1[0]) + fabs(k2[1] - k1[1]));
            if (error > 1e-3)
                h *= 0.5;
        } while (error > 1e-3);
        y[0] += 0.5 * h * (k1[0] + k2[0]);
        y[1] += 0.5 * h * (k1[1] + k2[1]);
        t += h;
        if (error < 1e-4)
            h *= 2.0;
    }
    return y[0] * y[0] + y[1];
}
