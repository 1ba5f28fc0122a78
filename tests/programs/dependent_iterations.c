// check: array n=8,5,2 range=0.3:1.3
// Loops that look as if their iterations were independent, and are not: what an iteration leaves in a work array, the
// next one reads; or something behind the loop overwrites what it read.
#include <math.h>
#include <stdlib.h>

// The inner loop fills all but the last.
static double all_but_one(const double *x, int n)
{
    double *work = calloc(n, sizeof(double)), sum = 0.0;
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < n - 1; i++)
            work[i] = x[i] * x[p];
        double s = 0.0;
        for (int i = 0; i < n; i++)
            s += work[i] * work[i];
        work[n - 1] = 0.1 * s;
        sum += s * x[p];
    }
    free(work);
    return sum;
}

// Every other element is filled; the others grow.
static double every_other(const double *x, int n)
{
    double *work = calloc(2 * n, sizeof(double)), sum = 0.0;
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < n; i++)
            work[2 * i] = x[i] + x[p];
        for (int i = 1; i < 2 * n; i++)
            work[i] += 0.1 * work[i - 1] * work[i - 1];
        sum += work[2 * n - 1] * work[n];
    }
    free(work);
    return sum;
}

// Filled only where a condition holds.
static double sometimes(const double *x, int n)
{
    double work[16] = {0.0}, sum = 0.0;
    for (int p = 0; p < n; p++) {
        if (p % 3 != 1)
            for (int i = 0; i < 16; i++)
                work[i] = x[p] * (i + 1);
        double s = 1.0;
        for (int i = 0; i < 16; i++)
            s += 0.01 * work[i] * work[i] * x[p];
        work[p % 16] += s;
        sum += sin(s);
    }
    return sum;
}

// Read first, written later.
static double read_first(const double *x, int n)
{
    double *work = malloc(sizeof(double) * n), sum = 0.0;
    for (int i = 0; i < n; i++)
        work[i] = x[i];
    for (int p = 0; p < n; p++) {
        double s = 0.0;
        for (int i = 0; i < n; i++)
            s += work[i] * work[i] * x[p];
        for (int i = 0; i < n; i++)
            work[i] = 0.5 * x[i] + 0.01 * s;
        sum += s;
    }
    free(work);
    return sum;
}

// The loop reads what is overwritten behind it.
static double overwritten_later(const double *x, int n)
{
    double *copy = malloc(sizeof(double) * n), sum = 0.0;
    for (int i = 0; i < n; i++)
        copy[i] = x[i] * x[i];
    for (int p = 0; p < n; p++) {
        double work[4];
        for (int i = 0; i < 4; i++)
            work[i] = copy[p] * (i + 1) + copy[(p + i) % n];
        double s = 1.0;
        for (int i = 0; i < 4; i++)
            s *= work[i] + s;
        sum += 0.01 * s;
    }
    for (int i = 0; i < n; i++)
        copy[i] = sin(copy[i]) * sum;
    for (int i = 0; i < n; i++)
        sum += copy[i];
    free(copy);
    return sum;
}

// The outer loop overwrites what the inner one reads.
static double steps(const double *x, int n)
{
    double *at = malloc(sizeof(double) * n), *force = malloc(sizeof(double) * n), energy = 0.0;
    for (int i = 0; i < n; i++)
        at[i] = x[i] + i;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++) {
            double f = 0.0;
            for (int j = 0; j < n; j++) {
                double d = at[i] - at[j];
                f += d / (1.0 + d * d);
            }
            force[i] = f;
            energy += f * f;
        }
        for (int i = 0; i < n; i++)
            at[i] += 0.1 * force[i];
    }
    free(at);
    free(force);
    return energy;
}

double objective(const double *x, int n)
{
    return all_but_one(x, n) + every_other(x, n) + sometimes(x, n) + read_first(x, n) + overwritten_later(x, n) +
           steps(x, n);
}
