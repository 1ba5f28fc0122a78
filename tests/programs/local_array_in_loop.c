// check: array n=8
// An array declared in the loop body: each iteration has its own, with its own adjoint.
#include <math.h>

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double k[4], mid[2];
        k[0] = x[i];
        k[1] = k[0] * k[0];
        if (i % 2)
            k[2] = sin(k[1]);
        else
            k[2] = k[1] + sum;
        mid[0] = k[2] * x[(i + 1) % n];
        mid[1] = mid[0] + k[1];
        k[3] = mid[0] * mid[1];
        sum += 0.1 * k[3] + k[2];
    }
    return sum;
}
