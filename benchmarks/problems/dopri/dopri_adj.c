#include "dopri.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Dormand and Prince, "A family of embedded Runge-Kutta formulae" (1980): stages, weights, and what the fourth order has less. */
static const double stage[6][6] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double error[7] = {71.0 / 57600,     0.0,         -71.0 / 16695, 71.0 / 1920,
                                -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

static void rate(const double *y, const double *par, double *out)
{
    out[0] = par[0] * y[0] - par[1] * y[0] * y[1];
    out[1] = par[2] * y[0] * y[1] - par[3] * y[1];
}

static void rate_adjoint(const double *y, const double *par, const double *g, double *gy, double *gp)
{
    gy[0] += g[0] * (par[0] - par[1] * y[1]) + g[1] * par[2] * y[1];
    gy[1] += -g[0] * par[1] * y[0] + g[1] * (par[2] * y[0] - par[3]);
    gp[0] += g[0] * y[0];
    gp[1] -= g[0] * y[0] * y[1];
    gp[2] += g[1] * y[0] * y[1];
    gp[3] -= g[1] * y[1];
}

/* The slopes k and points z of one attempt, the sums that lead to the points, and the estimates of the error. */
static void attempt(const double *y, const double *par, double h, double k[7][2], double z[6][2], double sums[6][2],
                    double off[2])
{
    rate(y, par, k[0]);
    for (int s = 0; s < 6; s++) {
        for (int j = 0; j < 2; j++) {
            sums[s][j] = 0.0;
            for (int r = 0; r <= s; r++)
                sums[s][j] += stage[s][r] * k[r][j];
            z[s][j] = y[j] + h * sums[s][j];
        }
        rate(z[s], par, k[s + 1]);
    }
    for (int j = 0; j < 2; j++) {
        off[j] = 0.0;
        for (int r = 0; r < 7; r++)
            off[j] += error[r] * k[r][j];
    }
}

struct kept {
    double y[2], h;
    int cut; /* was the step cut at the end? */
};

void dopri_gradient(const double *start, const double *par, double end, double tol, double *gy, double *gp)
{
    size_t count = 0, room = 1024;
    struct kept *kept = (struct kept *)malloc(sizeof *kept * room);
    double y[2] = {start[0], start[1]}, t = 0.0, h = 0.01, k[7][2], z[6][2], sums[6][2], off[2];
    while (t < end) {
        const int cut = h > end - t;
        if (cut)
            h = end - t;
        if (count == room)
            kept = (struct kept *)realloc(kept, sizeof *kept * (room *= 2));
        kept[count++] = (struct kept){{y[0], y[1]}, h, cut};
        attempt(y, par, h, k, z, sums, off);
        const double most = fmax(fabs(h * off[0]), fabs(h * off[1]));
        if (most <= tol) {
            t += h;
            y[0] = z[5][0];
            y[1] = z[5][1];
        }
        h *= fmin(4.0, fmax(0.2, 0.9 * pow(tol / (most + 1e-300), 0.2)));
    }
    double gh = 0.0, gt = 0.0;
    gy[0] = y[0];
    gy[1] = y[1];
    gp[0] = gp[1] = gp[2] = gp[3] = 0.0;
    while (count-- > 0) {
        const struct kept *at = &kept[count];
        double gk[7][2] = {{0.0}}, gz[2] = {0.0, 0.0};
        h = at->h;
        attempt(at->y, par, h, k, z, sums, off);
        const int j = fabs(h * off[1]) > fabs(h * off[0]);
        const double most = fabs(h * off[j]), raw = 0.9 * pow(tol / (most + 1e-300), 0.2);
        const double factor = fmin(4.0, fmax(0.2, raw));
        double used = gh * factor;
        if (raw > 0.2 && raw < 4.0) {
            const double gmost = gh * h * raw * -0.2 / (most + 1e-300), sign = h * off[j] < 0.0 ? -1.0 : 1.0;
            used += gmost * sign * off[j];
            for (int r = 0; r < 7; r++)
                gk[r][j] += gmost * sign * h * error[r];
        }
        if (most <= tol) {
            used += gt;
            gz[0] = gy[0];
            gz[1] = gy[1];
            gy[0] = gy[1] = 0.0;
        }
        for (int s = 5; s >= 0; s--) {
            rate_adjoint(z[s], par, gk[s + 1], gz, gp);
            for (int i = 0; i < 2; i++) {
                gy[i] += gz[i];
                used += gz[i] * sums[s][i];
                for (int r = 0; r <= s; r++)
                    gk[r][i] += stage[s][r] * h * gz[i];
                gz[i] = 0.0;
            }
        }
        rate_adjoint(at->y, par, gk[0], gy, gp);
        gh = at->cut ? 0.0 : used;
        if (at->cut)
            gt -= used;
    }
    free(kept);
}
