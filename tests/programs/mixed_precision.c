// check: array n=6 tol=2e-2 identity=1e-6 step=0.5
// Stored as float, computed in double.
#include <stdlib.h>

double objective(const double *x, int n)
{
    float *store = malloc(n * sizeof *store);
    for (int i = 0; i < n; i++)
        store[i] = (float)(x[i] * x[i]);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (double)store[i] * x[i] + (double)(store[i] * store[(i + 1) % n]);
    free(store);
    return sum;
}
