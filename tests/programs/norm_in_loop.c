// check: map n=9 m=9
// The norm asked for again at every element.
#include <math.h>

__attribute__((noinline, pure)) static double magnitude(const double *v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

void transform(const double *restrict x, double *restrict y, int n, int m)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / magnitude(x, n);
}
