// check: array n=8 range=0.1:1.0
// Explicit steps of the heat equation in two dimensions with a conductivity per row.
#include <stdlib.h>
#include <string.h>

#define N 10

double objective(const double *k, int n)
{
    double (*u)[N] = calloc(N, sizeof *u), (*v)[N] = calloc(N, sizeof *v);
    for (int i = 0; i < N; i++)
        u[i][0] = u[0][i] = 1.0 + 0.1 * i;
    memcpy(v, u, sizeof(double) * N * N);
    for (int step = 0; step < 6; step++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                v[i][j] = u[i][j] + 0.2 * k[(i - 1) % n] * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0 * u[i][j]);
        double (*t)[N] = u;
        u = v;
        v = t;
    }
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += u[i][j] * u[i][j] * (i + j);
    free(u);
    free(v);
    return sum;
}
