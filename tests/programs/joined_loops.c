// check: array n=7,1,0,16
// Loops that fill memory, followed by loops that read it: their reverse loops may become one where they touch the same
// place in the same iteration only, and must not where the places are shifted or run against each other.
#include <math.h>
#include <stdlib.h>

static double weight(int i) { return 0.5 + 0.25 * (i % 3); }

// Norm, quotients, weighted sum: what is in between is overwritten in the end.
static double filled_and_read(const double *x, double *y, int n)
{
    double squares = 1.0, sum = 0.0;
    for (int i = 0; i < n; i++)
        squares += x[i] * x[i];
    const double norm = sqrt(squares);
    for (int i = 0; i < n; i++)
        y[i] = x[i] / norm;
    for (int i = 0; i < n; i++)
        sum += weight(i) * y[i] * y[i];
    return sum;
}

// The second loop reads what the first one stores an iteration later, or earlier.
static double shifted(const double *x, double *y, int n)
{
    double sum = 0.0;
    y[0] = 0.0;
    for (int i = 0; i < n; i++)
        y[i + 1] = 0.5 * x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    for (int i = 0; i < n; i++)
        y[i] = sum * x[i];
    for (int i = 0; i < n; i++)
        sum += y[i + 1];
    return sum;
}

// The second loop runs the other way.
static double opposed(const double *x, double *y, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * (1.0 + i);
    for (int i = 0; i < n; i++)
        sum += (1.0 + i) * y[n - 1 - i] * x[i];
    return sum;
}

// Rows of different lengths in one work array; the first loop's sum is what the second one starts with, too.
static double rows(const double *x, double *y, int n)
{
    double all = 0.0;
    for (int row = 1; row <= n; row++) {
        double first = 0.0;
        for (int i = 0; i < row; i++)
            y[i] = x[i] * x[row - 1];
        for (int i = 0; i < row; i++)
            first += y[i] * weight(i + row);
        double second = first;
        for (int i = 0; i < row; i++)
            y[i] *= 0.5 + first;
        for (int i = 0; i < row; i++)
            second += y[i] * x[i];
        all += first * second;
    }
    return all;
}

// Both loops write: the second takes the adjoint that the first one's store then finds cleared.
static double overwritten(const double *x, double *y, double *z, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        y[i] = 2.0 * x[i];
        z[i] = x[i];
    }
    for (int i = 0; i < n; i++) {
        z[i] = y[i] + 3.0 * z[i];
        y[i] = z[i] * 0.5;
    }
    for (int i = 0; i < n; i++)
        sum += y[i] * z[i] * weight(i);
    return sum;
}

double objective(double *x, int n)
{
    double *y = malloc(sizeof(double) * (n + 1)), *z = malloc(sizeof(double) * (n + 1));
    double sum = filled_and_read(x, y, n) + shifted(x, y, n) + opposed(x, y, n) + rows(x, y, n);
    sum += overwritten(x, y, z, n) + filled_and_read(x, z, n);
    free(y);
    free(z);
    return sum;
}
