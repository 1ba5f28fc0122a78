#include "euler.h"

static void rate(const double *y, const double *par, double *out)
{
    out[0] = par[0] * (y[1] - y[0]);
    out[1] = y[0] * (par[1] - y[2]) - y[1];
    out[2] = y[0] * y[1] - par[2] * y[2];
}

double euler_objective(int steps, double h, const double *start, const double *par)
{
    double y[3] = {start[0], start[1], start[2]};
    for (int i = 0; i < steps; i++) {
        double k[3];
        rate(y, par, k);
        for (int j = 0; j < 3; j++)
            y[j] += h * k[j];
    }
    return 0.5 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}
