// check: array n=6
// Functions passed as arguments and fixed at compile time.
#include <math.h>

typedef double (*unary)(double);

static double square(double v)
{
    return v * v;
}

static double map_sum(const double *x, int n, unary f, unary g)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += f(x[i]) * g(x[n - 1 - i]);
    return sum;
}

static double trapezium(unary f, double from, double to, int steps)
{
    double h = (to - from) / steps, sum = 0.5 * (f(from) + f(to));
    for (int i = 1; i < steps; i++)
        sum += f(from + i * h);
    return sum * h;
}

double objective(const double *x, int n)
{
    return map_sum(x, n, sin, square) + map_sum(x, n, square, square) + trapezium(exp, x[0], x[1], 10);
}
