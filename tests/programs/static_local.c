// check: array n=5
// A static local buffer, refilled at each call.
#include <string.h>

static double *scratch(int n)
{
    static double buffer[64];
    memset(buffer, 0, sizeof buffer);
    return buffer + (64 - n);
}

double objective(const double *x, int n)
{
    double *work = scratch(2 * n);
    for (int i = 0; i < n; i++) {
        work[i] += x[i];
        work[2 * n - 1 - i] += x[i] * work[i];
    }
    double sum = 0.0;
    for (int i = 0; i < 2 * n; i++)
        sum += work[i] * work[(i + 3) % (2 * n)];
    return sum;
}
