// check: array n=16 range=-1:1 seed=3
// LU with row pivoting through a permutation array of integers; the determinant.
#include <math.h>
#include <stdlib.h>
#include <string.h>

double objective(const double *x, int n)
{
    int size = 4, *row = malloc(size * sizeof *row);
    double *a = malloc(n * sizeof *a), determinant = 1.0;
    memcpy(a, x, n * sizeof *a);
    for (int i = 0; i < size; i++)
        row[i] = i;
    for (int k = 0; k < size; k++) {
        int best = k;
        for (int i = k + 1; i < size; i++)
            if (fabs(a[row[i] * size + k]) > fabs(a[row[best] * size + k]))
                best = i;
        if (best != k) {
            int t = row[k];
            row[k] = row[best];
            row[best] = t;
            determinant = -determinant;
        }
        determinant *= a[row[k] * size + k];
        for (int i = k + 1; i < size; i++) {
            double *target = &a[row[i] * size], *pivot = &a[row[k] * size];
            target[k] /= pivot[k];
            for (int j = k + 1; j < size; j++)
                target[j] -= target[k] * pivot[j];
        }
    }
    free(a);
    free(row);
    return determinant;
}
