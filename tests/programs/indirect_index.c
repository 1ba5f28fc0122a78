// check: array n=8
// Gather and scatter through an index array computed at run time (a sparse matrix in CSR form).
#include <stdlib.h>

double objective(const double *x, int n)
{
    int *start = malloc((n + 1) * sizeof *start), *column = malloc(3 * n * sizeof *column), used = 0;
    double *value = malloc(3 * n * sizeof *value), *y = malloc(n * sizeof *y), sum = 0.0;
    for (int r = 0; r < n; r++) {
        start[r] = used;
        for (int k = -1; k <= 1; k++)
            if (r + k >= 0 && r + k < n) {
                column[used] = (r + 2 * k + n) % n;
                value[used++] = x[r] * (k + 2);
            }
    }
    start[n] = used;
    for (int r = 0; r < n; r++) {
        y[r] = 0.0;
        for (int e = start[r]; e < start[r + 1]; e++)
            y[r] += value[e] * x[column[e]];
    }
    for (int r = 0; r < n; r++)
        sum += y[r] * y[(r * 3) % n];
    free(start);
    free(column);
    free(value);
    free(y);
    return sum;
}
