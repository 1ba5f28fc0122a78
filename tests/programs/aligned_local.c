// check: array n=6
// Local arrays aligned to more than a cache line, in a function that is called.
#include <stdint.h>

__attribute__((noinline)) static double work(const double *x, int n, int *bad)
{
    _Alignas(256) double a[6];
    *bad += (uintptr_t)a % 256 != 0;
    for (int i = 0; i < n; i++)
        a[i] = x[i] * x[i];
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        a[i] *= a[(i + 1) % n];
        sum += a[i] * x[i];
    }
    return sum;
}

double objective(const double *x, int n)
{
    int bad = 0;
    double r = work(x, n, &bad) * work(x, n - 1, &bad);
    return bad ? 0.0 : r;
}
