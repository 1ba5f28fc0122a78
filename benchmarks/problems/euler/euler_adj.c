#include "euler.h"

#include <stdlib.h>

void euler_gradient(int steps, double h, const double *start, const double *par, double *g, double *gpar)
{
    double *kept = (double *)malloc(sizeof(double) * 3 * (steps + 1));
    for (int j = 0; j < 3; j++)
        kept[j] = start[j];
    for (int i = 0; i < steps; i++) {
        const double *y = kept + 3 * i;
        kept[3 * i + 3] = y[0] + h * par[0] * (y[1] - y[0]);
        kept[3 * i + 4] = y[1] + h * (y[0] * (par[1] - y[2]) - y[1]);
        kept[3 * i + 5] = y[2] + h * (y[0] * y[1] - par[2] * y[2]);
    }
    double g0 = kept[3 * steps], g1 = kept[3 * steps + 1], g2 = kept[3 * steps + 2], p0 = 0.0, p1 = 0.0, p2 = 0.0;
    for (int i = steps - 1; i >= 0; i--) {
        const double *y = kept + 3 * i;
        const double a = h * g0, b = h * g1, c = h * g2;
        p0 += a * (y[1] - y[0]);
        p1 += b * y[0];
        p2 -= c * y[2];
        g0 += -a * par[0] + b * (par[1] - y[2]) + c * y[1];
        g1 += a * par[0] - b + c * y[0];
        g2 += -b * y[0] - c * par[2];
    }
    free(kept);
    g[0] = g0, g[1] = g1, g[2] = g2;
    gpar[0] = p0, gpar[1] = p1, gpar[2] = p2;
}
