// check: array n=5
// A helper that is differentiated is called where the program only ends.
#include <math.h>
#include <stdlib.h>

__attribute__((noinline)) static double settle(double *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = sin(a[i] * a[i - 1]) + a[i];
    return a[n - 1];
}

double objective(double *x, int n)
{
    double y[8], sum = 0.0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        if (y[i] > 1e6) {
            x[0] = settle(y, n);
            if (n > 3)
                y[0] = 1.0;
            for (;;)
                x[1] += settle(y, n);
        }
        y[i] *= x[i];
        sum += settle(y, n) * y[0];
    }
    return sum;
}
