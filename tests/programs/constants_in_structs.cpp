// check: array n=5
// Objects hold constant numbers, and integers, beside those that carry derivatives; functions of their own work on them
// and free them.
#include <cstdlib>

struct Fit {
    double *values;
    const double *weights;
    int *counts, size;
};

static const double table[5] = {1, 2, 3, 4, 5};

__attribute__((noinline)) double total(const Fit *fit)
{
    double sum = 0;
    for (int i = 0; i < fit->size; i++)
        sum += fit->values[i] * fit->weights[i] * fit->counts[i];
    return sum;
}

__attribute__((noinline)) void release(Fit *fit)
{
    free(fit->values);
    free(fit->counts);
}

extern "C" double objective(const double *x, int n)
{
    double *weights = (double *)malloc(8 * n);
    Fit fit = {(double *)malloc(8 * n), weights, (int *)malloc(4 * n), n};
    for (int i = 0; i < n; i++) {
        fit.values[i] = x[i] * x[i];
        weights[i] = i * 2.5;
        fit.counts[i] = i + 1;
    }
    double sum = total(&fit) + total(&fit) * fit.weights[2];
    fit.weights = table;
    sum += total(&fit);
    release(&fit);
    free(weights);
    return sum;
}
