// check: inplace n=9 range=0.5:1.5
// Bodies that promise by restrict to work on memory of their own, inlined: once, and in a loop whose iterations swap
// the arrays. What one iteration reads, the next one overwrites.
#include <math.h>

static void blend(int n, double *restrict out, const double *restrict in)
{
    for (int i = 0; i < n; i++)
        out[i] = 0.5 * out[i] * in[i] + sin(in[(i + 1) % n]);
}

void transform(double *x, int n)
{
    double spare[9];
    for (int i = 0; i < n; i++)
        spare[i] = x[i] * x[i];
    for (int step = 0; step < 4; step++)
        blend(n, step % 2 ? spare : x, step % 2 ? x : spare);
    blend(n, x, spare);
}
