// check: array n=6
// A function with two out-parameters and one in-out parameter, kept out of line.
#include <math.h>

__attribute__((noinline)) static int statistics(const double *x, int n, double *mean, double *variance, double *worst)
{
    *mean = 0.0;
    for (int i = 0; i < n; i++)
        *mean += x[i] / n;
    *variance = 0.0;
    for (int i = 0; i < n; i++)
        *variance += (x[i] - *mean) * (x[i] - *mean);
    *worst = fmax(*worst, sqrt(*variance));
    return *variance > 0.0;
}

double objective(const double *x, int n)
{
    double mean, variance, worst = x[0] * 0.1, sum = 0.0;
    for (int i = 2; i <= n; i++)
        if (statistics(x, i, &mean, &variance, &worst))
            sum += mean * variance + worst * variance;
    return sum;
}
