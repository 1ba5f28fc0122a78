// check: array n=12
// A function that stays a call, with memory of its callers' in some arguments: apart in most calls, not in all of the
// second function's. What is read behind the others can be read again, or has to be kept.
#include <math.h>
#include <stdlib.h>

static double total(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

/* out = a·w, out += sin(out): apart in all calls */
__attribute__((noinline)) static void apart(int n, const double *a, const double *w, double *out)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += a[j] * w[(i + j) % n] / n;
        out[i] = 0.5 * sum + sin(sum) * a[i];
    }
}

/* The same, with an argument that is the output of some calls, or in it. */
__attribute__((noinline)) static void shared(int n, const double *a, const double *w, double *out)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += a[j] * w[(i + j) % n] / n;
        out[i] = 0.1 * sum + sin(sum) * a[i];
    }
}

/* Recursive: hands its own arguments down. */
__attribute__((noinline)) static void down(int n, int depth, const double *a, double *out, double *room)
{
    if (!depth) {
        for (int i = 0; i < n; i++)
            out[i] += a[i] * a[(i + 1) % n];
        return;
    }
    apart(n, a, a, room);
    for (int i = 0; i < n; i++)
        out[i] = 0.3 * room[i] * out[i] + a[i];
    down(n, depth - 1, a, out, room);
}

double objective(const double *x, int n)
{
    double *h = (double *)malloc(sizeof(double) * n), *g = (double *)malloc(sizeof(double) * n), local[64];
    const int m = n < 60 ? n / 2 : 30;
    apart(m, x, x + m, h);
    apart(m, h, x, g);
    apart(m, g, h, local);
    double sum = total(m, local);
    shared(m, x, h, g);
    shared(m, g, g, h);
    sum += total(m, h);
    shared(m, h, x, h);
    sum += total(m, h);
    shared(m - 1, h, x, h + 1);
    sum += total(m, h);
    down(m, 3, x, h, g);
    sum += total(m, h);
    free(h);
    free(g);
    return sum;
}
