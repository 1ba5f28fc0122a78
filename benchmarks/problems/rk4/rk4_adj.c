#include "rk4.h"

#include <stdlib.h>

static void rate(const double *y, const double *par, double *out)
{
    out[0] = par[0] * (y[1] - y[0]);
    out[1] = y[0] * (par[1] - y[2]) - y[1];
    out[2] = y[0] * y[1] - par[2] * y[2];
}

/* Adds to the adjoints of y and par what the rate's adjoint k gives them. */
static void rate_adjoint(const double *y, const double *par, const double *k, double *g, double *gpar)
{
    gpar[0] += k[0] * (y[1] - y[0]);
    gpar[1] += k[1] * y[0];
    gpar[2] -= k[2] * y[2];
    g[0] += -k[0] * par[0] + k[1] * (par[1] - y[2]) + k[2] * y[1];
    g[1] += k[0] * par[0] - k[1] + k[2] * y[0];
    g[2] += -k[1] * y[0] - k[2] * par[2];
}

static void moved(const double *y, double h, const double *k, double *out)
{
    for (int j = 0; j < 3; j++)
        out[j] = y[j] + h * k[j];
}

static void stages(const double *y, double h, const double *par, double k[4][3], double z[3][3])
{
    rate(y, par, k[0]);
    moved(y, 0.5 * h, k[0], z[0]);
    rate(z[0], par, k[1]);
    moved(y, 0.5 * h, k[1], z[1]);
    rate(z[1], par, k[2]);
    moved(y, h, k[2], z[2]);
    rate(z[2], par, k[3]);
}

void rk4_gradient(int steps, double h, const double *start, const double *par, double *gy, double *gpar)
{
    double *kept = (double *)malloc(sizeof(double) * 3 * (steps + 1));
    double k[4][3], z[3][3], g[3], gp[3] = {0.0, 0.0, 0.0};
    for (int j = 0; j < 3; j++)
        kept[j] = start[j];
    for (int i = 0; i < steps; i++) {
        const double *y = kept + 3 * i;
        stages(y, h, par, k, z);
        for (int j = 0; j < 3; j++)
            kept[3 * i + 3 + j] = y[j] + h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
    for (int j = 0; j < 3; j++)
        g[j] = kept[3 * steps + j];
    for (int i = steps - 1; i >= 0; i--) {
        const double *y = kept + 3 * i;
        const double after[3] = {h, 0.5 * h, 0.5 * h}, weight[3] = {2.0, 2.0, 1.0};
        double gk[3], gz[3];
        stages(y, h, par, k, z);
        for (int j = 0; j < 3; j++)
            gk[j] = h / 6.0 * g[j];
        const double last[3] = {gk[0], gk[1], gk[2]};
        for (int s = 2; s >= 0; s--) {
            gz[0] = gz[1] = gz[2] = 0.0;
            rate_adjoint(z[s], par, gk, gz, gp);
            for (int j = 0; j < 3; j++) {
                g[j] += gz[j];
                gk[j] = weight[2 - s] * last[j] + after[2 - s] * gz[j];
            }
        }
        rate_adjoint(y, par, gk, g, gp);
    }
    free(kept);
    for (int j = 0; j < 3; j++)
        gy[j] = g[j], gpar[j] = gp[j];
}
