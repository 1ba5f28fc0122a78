// check: array n=7,0
// Memory allocated and freed in every iteration, of a different size each time.
#include <stdlib.h>

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double *row = calloc(i + 2, sizeof *row);
        for (int j = 0; j <= i; j++)
            row[j + 1] = row[j] * x[j] + x[i];
        sum += row[i + 1] * row[1];
        free(row);
    }
    return sum;
}
