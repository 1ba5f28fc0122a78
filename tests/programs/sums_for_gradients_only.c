// check: array n=12,7,1
// Sums whose rounding the gradient alone sees (a norm, a mean, a spread, the denominator of a softmax), in functions of
// their own; one that decides; and a compensated one, whose large terms cancel.
#include <math.h>

__attribute__((noinline)) static double norm(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum + 0.1);
}

__attribute__((noinline)) static double mean(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

__attribute__((noinline)) static double spread(const double *x, int n, double middle)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (x[i] - middle) * (x[i] - middle);
    return sqrt(sum / n + 0.01);
}

__attribute__((noinline)) static double compensated(const double *x, int n)
{
    double sum = 0.0, lost = 0.0;
    for (int i = 0; i < 3 * n; i++) {
        const double large = i < n ? 1e3 : i < 2 * n ? 0.0 : -1e3;
        const double term = large + (i >= n && i < 2 * n ? x[i - n] : 0.0);
        const double y = term - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}

double objective(const double *x, int n)
{
    double weights = 0.0, rows = 0.0, total = 0.0;
    for (int i = 0; i < n; i++)
        weights += exp(x[i]);
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int j = 0; j < n; j++)
            row += x[j] * cos(i + j);
        rows += row * row; /* a sum of sums */
    }
    const double middle = mean(x, n);
    for (int i = 0; i < n; i++)
        total += exp(x[i]) / weights * (x[i] - middle) / spread(x, n, middle) + x[i] / norm(x, n) * i;
    if (norm(x, n) > 100.0) /* decides */
        total *= 2.0;
    return total + sin(compensated(x, n)) + log(1.0 + rows);
}
