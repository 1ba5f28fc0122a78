#include "heat.h"

#include <stdlib.h>
#include <string.h>

double heat_objective(int n, int steps, double dt, const double *start, const double *k)
{
    double *u = (double *)malloc(sizeof(double) * n * n), *change = (double *)malloc(sizeof(double) * n * n);
    memcpy(u, start, sizeof(double) * n * n);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i + 1 < n; i++)
            for (int j = 1; j + 1 < n; j++) {
                const int at = i * n + j;
                change[at] = k[at] * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1] - 4.0 * u[at]);
            }
        for (int i = 1; i + 1 < n; i++)
            for (int j = 1; j + 1 < n; j++)
                u[i * n + j] += dt * change[i * n + j];
    }
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += u[i] * u[i];
    free(u);
    free(change);
    return 0.5 * sum;
}
