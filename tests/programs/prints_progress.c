// check: array n=5
// A function that writes what it does into a string on the way.
#include <stdio.h>
#include <string.h>

static char report[256];

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i] * sum + x[i];
        snprintf(report, sizeof report, "step %d: %.3f", i, sum);
    }
    return sum + (double)strlen(report) * 0.0;
}
