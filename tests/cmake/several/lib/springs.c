#include "springs.h"
double energy(const double *x, int n, double k)
{
    double sum = 0;
    for (int i = 1; i < n; i++)
        sum += 0.5 * k * (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
    return sum;
}
double damping(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i] * v[i];
    return sum;
}
