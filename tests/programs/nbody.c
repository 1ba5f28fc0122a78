// check: array n=21
// Gravity between three bodies, kick and drift, all in one heap state.
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void kick(int n, double dt, const double *pos, double *vel, const double *mass)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], sq = 0.05;
            for (int c = 0; c < 3; c++) {
                d[c] = pos[3 * j + c] - pos[3 * i + c];
                sq += d[c] * d[c];
            }
            double pull = dt / (sq * sqrt(sq));
            for (int c = 0; c < 3; c++) {
                vel[3 * i + c] += mass[j] * pull * d[c];
                vel[3 * j + c] -= mass[i] * pull * d[c];
            }
        }
}

double objective(const double *x, int n)
{
    int bodies = n / 7;
    double *state = malloc(sizeof(double) * 6 * bodies), energy = 0.0;
    memcpy(state, x, sizeof(double) * 6 * bodies);
    double *pos = state, *vel = state + 3 * bodies;
    const double *mass = x + 6 * bodies;
    for (int step = 0; step < 25; step++) {
        kick(bodies, 0.02, pos, vel, mass);
        for (int i = 0; i < 3 * bodies; i++)
            pos[i] += 0.02 * vel[i];
    }
    for (int i = 0; i < 3 * bodies; i++)
        energy += 0.5 * mass[i / 3] * vel[i] * vel[i] + 0.1 * pos[i] * pos[i];
    free(state);
    return energy;
}
