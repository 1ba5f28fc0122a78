#include <stdlib.h>
#include <string.h>

double *smoothed(const double *x, int n, int times)
{
    double *y = malloc(n * sizeof *y), *next = malloc(n * sizeof *next);
    memcpy(y, x, n * sizeof *y);
    while (times--) {
        for (int i = 0; i < n; i++)
            next[i] = 0.5 * y[i] + 0.25 * (y[i ? i - 1 : n - 1] + y[(i + 1) % n]);
        double *swap = y;
        y = next, next = swap;
    }
    free(next);
    return y;
}

double integrate(double (*f)(double, void *), void *context, double a, double b)
{
    double sum = 0, h = (b - a) / 4;
    for (int i = 0; i < 4; i++)
        sum += h / 6 * (f(a + i * h, context) + 4 * f(a + (i + 0.5) * h, context) + f(a + (i + 1) * h, context));
    return sum;
}

void release(double *x)
{
    free(x);
}
