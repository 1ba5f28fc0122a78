#include "spmv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void spmv_gradient(int n, int rounds, const int *first, const int *column, const double *a, const double *start, double *ga,
                   double *gstart)
{
    double *kept = (double *)malloc(sizeof(double) * n * (rounds + 1)); /* v before each round */
    double *norms = (double *)malloc(sizeof(double) * rounds), *gv = (double *)calloc(n, sizeof(double));
    double *gw = (double *)malloc(sizeof(double) * n), *w = (double *)malloc(sizeof(double) * n);
    memcpy(kept, start, sizeof(double) * n);
    for (int r = 0; r < rounds; r++) {
        const double *v = kept + (size_t)r * n;
        double square = 0.0, *next = kept + (size_t)(r + 1) * n;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = first[i]; k < first[i + 1]; k++)
                sum += a[k] * v[column[k]];
            next[i] = sum;
            square += sum * sum;
        }
        norms[r] = sqrt(square);
        for (int i = 0; i < n; i++)
            next[i] /= norms[r];
    }
    memset(ga, 0, sizeof(double) * first[n]);
    for (int r = rounds - 1; r >= 0; r--) {
        const double *v = kept + (size_t)r * n, *next = kept + (size_t)(r + 1) * n;
        double dot = 0.0;
        for (int i = 0; i < n; i++)
            dot += gv[i] * next[i];
        for (int i = 0; i < n; i++) {
            gw[i] = (gv[i] - dot * next[i]) / norms[r];
            gv[i] = 0.0;
        }
        if (r == rounds - 1)
            for (int i = 0; i < n; i++) {
                gw[i] += v[i];
                gv[i] += next[i] * norms[r];
            }
        for (int i = 0; i < n; i++)
            for (int k = first[i]; k < first[i + 1]; k++) {
                ga[k] += gw[i] * v[column[k]];
                gv[column[k]] += gw[i] * a[k];
            }
    }
    memcpy(gstart, gv, sizeof(double) * n);
    free(kept);
    free(norms);
    free(gv);
    free(gw);
    free(w);
}
