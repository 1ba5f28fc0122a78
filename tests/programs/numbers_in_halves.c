// check: array n=4 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// Arrays of numbers are turned round as twice as many integers, and back again.
#include <string.h>
double objective(const double *x, int n)
{
    int w[32], u[32];
    double t[16], y[16];
    for (int i = 0; i < n; i++)
        t[i] = x[i] * x[0];
    memcpy(w, t, 8 * n);
    for (int i = 0; i < 2 * n; i++)
        u[2 * n - 1 - i] = w[i];
    for (int i = 0; i < n; i++) {
        int half = u[i];
        u[i] = u[2 * n - 1 - i];
        u[2 * n - 1 - i] = half;
    }
    memcpy(y, u, 8 * n);
    return y[0] * y[1] + y[2] * y[3];
}
