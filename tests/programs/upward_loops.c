// check: array n=9,2,1,0
// Loops whose iterations the reverse sweep may take in any order, with what is computed along; and some that look alike.
#include <math.h>
#include <stdlib.h>

/* A turning angle, updates in place of two halves that do not meet. */
static void turn(double *z, int half)
{
    double re = 1.0, im = 0.0;
    for (int k = 0; k < half; k++) {
        double t = re * z[k + half] - im * z[k];
        z[k + half] = z[k] - t;
        z[k] += im * t;
        double old = re;
        re = 0.9 * re - 0.3 * im;
        im = 0.9 * im + 0.3 * old;
    }
}

/* Random integers, a sum that is not added to each time, one that is reduced, and one in two ways. */
static double sums(const double *x, int n)
{
    unsigned state = 12345u;
    double s = 0.0, r = 1.0, q = 0.5, weight = 1.0;
    for (int i = 0; i < n; i++) {
        state = state * 1103515245u + 12345u;
        if (state >> 16 & 1)
            s += weight * sin(x[i]);
        r -= x[i] * x[i] * (state >> 28);
        q = x[i] > 0.7 ? q + weight * x[i] : q - exp(x[i]);
        weight *= 0.8;
    }
    return s * r + q * s;
}

/* Results written to an array; a factor that is not differentiated goes from one to the next. */
static void scaled(const double *x, double *y, int n)
{
    double factor = 2.0;
    for (int i = 0; i < n; i++) {
        y[i] = factor * x[i] / (1.0 + x[i] * x[i]);
        factor = factor * 0.7 + 0.1 * i;
    }
}

/* Each element needs the one before: downward only. */
static void chained(double *y, int n)
{
    double factor = 0.5;
    for (int i = 1; i < n; i++) {
        y[i] += factor * y[i - 1] * y[i];
        factor *= 0.9;
    }
}

/* The last value is what counts: downward only. */
static double last(const double *x, int n)
{
    double found = 0.25, factor = 1.0;
    for (int i = 0; i < n; i++) {
        found = factor * x[i] * x[i];
        factor *= 0.9;
    }
    return found;
}

/* The sum is looked at on the way: downward only. */
static double prefix(const double *x, double *y, int n)
{
    double s = 0.0, factor = 1.0;
    for (int i = 0; i < n; i++) {
        s += factor * x[i];
        y[i] += s * x[i];
        factor *= 0.9;
    }
    return s;
}

/* Inner loops of different lengths, whose functions are kept. */
static double triangle(const double *x, int n)
{
    double total = 0.0;
    for (int i = 0; i < n; i++) {
        double s = 0.0, weight = 1.0 + 0.1 * i;
        for (int j = 0; j <= i; j++) {
            s += weight * sin(x[i] * x[j]) * cos(x[j]);
            weight *= 0.95;
        }
        total += s * s * s;
    }
    return total;
}

/* Two arrays in turn: from the second round on it is the same one. */
static double turns(double *x, double *y, int n)
{
    double s = 1.0, *at = x, weight = 1.0;
    for (int k = 0; k < 3 && n > 0; k++) {
        s *= 1.0 + weight * at[k % n] * at[n / 2];
        at = y;
        weight = 0.3;
    }
    return s;
}

/* A while loop: how often it goes round is not known beforehand. */
static double unknown(const double *x, int n)
{
    double s = 0.0, step = 1.0;
    int i = 0;
    while (step > 0.05 && n > 0) {
        s += step * x[i % n] * x[i % n];
        step *= 0.77;
        i += 2;
    }
    return s;
}

double objective(const double *x, int n)
{
    double *y = (double *)calloc(n + 1, sizeof(double)), *z = (double *)calloc(n + 1, sizeof(double)), result;
    scaled(x, y, n);
    chained(y, n);
    for (int i = 0; i < n; i++)
        z[i] = y[i] * x[n - 1 - i];
    turn(z, n / 2);
    result = sums(z, n) + sums(x, n) * last(y, n) + prefix(z, y, n) + triangle(y, n) * 0.1 + unknown(z, n) * unknown(x, n) + turns(y, z, n);
    for (int i = 0; i < n; i++)
        result += y[i] * z[i];
    free(y);
    free(z);
    return result;
}
