// check: array n=7
// Minimum, maximum and absolute value in their three spellings.
#include <math.h>

double objective(const double *x, int n)
{
    double low = x[0], high = x[0], sum = 0.0;
    for (int i = 1; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        if (x[i] > high)
            high = x[i];
        sum += fabs(x[i] - 1.0) + fmin(x[i], x[i - 1]) * fmax(x[i], 1.1);
    }
    return high * high - low * sum;
}
