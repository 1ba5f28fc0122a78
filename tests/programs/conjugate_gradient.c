// check: array n=10
// Conjugate gradients on a banded matrix made of the input, until the residual is small.
#include <stdlib.h>

static void apply(int n, const double *d, const double *v, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = (3.0 + d[i] * d[i]) * v[i] - (i ? v[i - 1] : 0.0) - (i + 1 < n ? v[i + 1] : 0.0);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double objective(const double *x, int n)
{
    int size = n / 2;
    const double *d = x, *b = x + size;
    double *u = calloc(4 * size, sizeof *u), *r = u + size, *p = r + size, *ap = p + size;
    for (int i = 0; i < size; i++)
        r[i] = p[i] = b[i];
    double rr = dot(size, r, r);
    for (int iteration = 0; iteration < 50 && rr > 1e-28; iteration++) {
        apply(size, d, p, ap);
        double alpha = rr / dot(size, p, ap);
        for (int i = 0; i < size; i++) {
            u[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        double next = dot(size, r, r), beta = next / rr;
        for (int i = 0; i < size; i++)
            p[i] = r[i] + beta * p[i];
        rr = next;
    }
    double result = dot(size, u, b) + dot(size, u, u);
    free(u);
    return result;
}
