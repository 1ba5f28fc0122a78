// check: inplace n=5,0
// Normalise in place, twice, by different norms.
#include <math.h>

static double norm(const double *x, int n)
{
    double sum = 1e-3;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

void transform(double *x, int n)
{
    double length = norm(x, n);
    for (int i = 0; i < n; i++)
        x[i] /= length;
    double total = 0.1;
    for (int i = 0; i < n; i++)
        total += fabs(x[i]);
    for (int i = 0; i < n; i++)
        x[i] *= x[i] / total;
}
