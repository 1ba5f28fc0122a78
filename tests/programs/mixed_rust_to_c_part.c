#include <math.h>

double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

void split(double v, double *whole, double *part)
{
    *part = modf(v, whole);
}

double minimum(double (*f)(double, void *), void *context, double start, double step)
{
    for (int i = 0; i < 4; i++) {
        double slope = (f(start + step, context) - f(start - step, context)) / (2 * step);
        start -= 0.1 * slope;
    }
    return f(start, context);
}
