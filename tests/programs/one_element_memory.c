// check: array n=6
// memset, memcpy and memmove of a single double: compilers turn them into integer loads and stores.
#include <string.h>

__attribute__((noinline)) static void shift(double *p)
{
    memmove(p + 1, p, sizeof *p);
}

__attribute__((noinline)) static void pick(const double *from, int at, double *to)
{
    memcpy(to, from + at, sizeof *to);
}

double objective(const double *x, int n)
{
    double work[8] = {0}, sum = 0.0;
    memcpy(work, x, n * sizeof *work);
    for (int round = 0; round < 3; round++) {
        sum += work[0] * work[round];
        memset(work, 0, sizeof *work);
        pick(x, round + 1, work + 3);
        shift(work + 3);
        sum += work[4] * work[3] * (round + 1);
    }
    for (int i = 0; i < n; i++)
        sum += work[i] * work[i] * (i + 1);
    return sum;
}
