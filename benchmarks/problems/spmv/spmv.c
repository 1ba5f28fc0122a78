#include "spmv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void multiply(int n, const int *first, const int *column, const double *a, const double *v, double *out)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = first[i]; k < first[i + 1]; k++)
            sum += a[k] * v[column[k]];
        out[i] = sum;
    }
}

double spmv_objective(int n, int rounds, const int *first, const int *column, const double *a, const double *start)
{
    double *v = (double *)malloc(sizeof(double) * n), *w = (double *)malloc(sizeof(double) * n), last = 0.0;
    memcpy(v, start, sizeof(double) * n);
    for (int r = 0; r < rounds; r++) {
        multiply(n, first, column, a, v, w);
        double square = 0.0;
        last = 0.0;
        for (int i = 0; i < n; i++) {
            square += w[i] * w[i];
            last += v[i] * w[i];
        }
        const double norm = sqrt(square);
        for (int i = 0; i < n; i++)
            v[i] = w[i] / norm;
    }
    free(v);
    free(w);
    return last;
}
