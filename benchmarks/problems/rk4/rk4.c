#include "rk4.h"

static void rate(const double *y, const double *par, double *out)
{
    out[0] = par[0] * (y[1] - y[0]);
    out[1] = y[0] * (par[1] - y[2]) - y[1];
    out[2] = y[0] * y[1] - par[2] * y[2];
}

static void moved(const double *y, double h, const double *k, double *out)
{
    for (int j = 0; j < 3; j++)
        out[j] = y[j] + h * k[j];
}

double rk4_objective(int steps, double h, const double *start, const double *par)
{
    double y[3] = {start[0], start[1], start[2]};
    for (int i = 0; i < steps; i++) {
        double k1[3], k2[3], k3[3], k4[3], z[3];
        rate(y, par, k1);
        moved(y, 0.5 * h, k1, z);
        rate(z, par, k2);
        moved(y, 0.5 * h, k2, z);
        rate(z, par, k3);
        moved(y, h, k3, z);
        rate(z, par, k4);
        for (int j = 0; j < 3; j++)
            y[j] += h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
    }
    return 0.5 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}
