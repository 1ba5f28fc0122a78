/* A vector divided by its length, with the length asked for again for every element. */
#include <math.h>

/* Kept out of line, so that the compiler sees one call that gives the same number in every iteration and makes it once. */
__attribute__((noinline, pure)) static double magnitude(const double *v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

void normalize(const double *restrict in, double *restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] / magnitude(in, n);
}
