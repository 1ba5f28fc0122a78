// check: array n=3,7,5
// A work array that grows at need and stays, scratch memory that each thread has, and a cursor into a kept array.
#include <math.h>
#include <stdlib.h>

static double *work;
static int capacity;
static _Thread_local double *scratch;
static double *middle;

static double *workspace(int n)
{
    if (capacity < n) {
        work = realloc(work, n * sizeof *work);
        capacity = n;
    }
    return work;
}

double objective(const double *x, int n)
{
    double *w = workspace(2 * n);
    if (!scratch) {
        scratch = malloc(64 * sizeof *scratch);
        middle = scratch + 32;
    }
    for (int i = 0; i < n; i++) {
        w[i] = x[i] * x[i];
        w[n + i] = sin(x[i]);
        middle[i - n / 2] = w[i] * w[n + i];
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        w[i] *= middle[i - n / 2];
        sum += w[i] * w[n + (i + 1) % n];
    }
    return sum;
}
