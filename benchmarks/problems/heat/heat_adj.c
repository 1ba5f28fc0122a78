#include "heat.h"

#include <stdlib.h>
#include <string.h>

void heat_gradient(int n, int steps, double dt, const double *start, const double *k, double *g_start, double *g_k)
{
    const int cells = n * n;
    double *u = (double *)malloc(sizeof(double) * cells), *back = (double *)calloc(cells, sizeof(double));
    double *kept = (double *)malloc(sizeof(double) * (size_t)steps * cells);
    memcpy(u, start, sizeof(double) * cells);
    memset(g_k, 0, sizeof(double) * cells);
    for (int t = 0; t < steps; t++) {
        double *lap = kept + (size_t)t * cells;
        for (int i = 1; i + 1 < n; i++)
            for (int j = 1; j + 1 < n; j++) {
                const int at = i * n + j;
                lap[at] = u[at - n] + u[at + n] + u[at - 1] + u[at + 1] - 4.0 * u[at];
            }
        for (int i = 1; i + 1 < n; i++)
            for (int j = 1; j + 1 < n; j++)
                u[i * n + j] += dt * k[i * n + j] * lap[i * n + j];
    }
    memcpy(g_start, u, sizeof(double) * cells);
    for (int t = steps - 1; t >= 0; t--) {
        const double *lap = kept + (size_t)t * cells;
        for (int i = 1; i + 1 < n; i++)
            for (int j = 1; j + 1 < n; j++) {
                const int at = i * n + j;
                g_k[at] += dt * g_start[at] * lap[at];
                back[at] = dt * g_start[at] * k[at]; /* that of the border stays zero */
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const int at = i * n + j;
                double sum = -4.0 * back[at];
                sum += i > 0 ? back[at - n] : 0.0;
                sum += i + 1 < n ? back[at + n] : 0.0;
                sum += j > 0 ? back[at - 1] : 0.0;
                sum += j + 1 < n ? back[at + 1] : 0.0;
                g_start[at] += sum;
            }
    }
    free(u);
    free(back);
    free(kept);
}
