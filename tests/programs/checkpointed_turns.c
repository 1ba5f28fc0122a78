// check: array n=6
// Buffers that take turns in several loops: which is which when a checkpointed loop is entered depends on the loops
// before it, with and without checkpoints, and around it.
#include <stdlib.h>

void __enzyme_checkpoint(long);

static void step(int n, const double *u, double *v, double rate, double keep)
{
    for (int i = 1; i < n - 1; i++)
        v[i] = keep * u[i] + rate * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

static double heated_and_cooled(const double *k, int n, int first, int second)
{
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v), sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = k[i];
    for (int t = 0; t < first; t++) {
        __enzyme_checkpoint(0);
        step(n, u, v, 0.1, 1.0);
        double *w = u;
        u = v;
        v = w;
    }
    for (int t = 0; t < 3; t++) {
        step(n, u, v, 0.08, 0.98);
        double *w = u;
        u = v;
        v = w;
    }
    for (int t = 0; t < second; t++) {
        __enzyme_checkpoint(3);
        step(n, u, v, 0.05, 0.99);
        if (v[2] > 1e3)
            break;
        double *w = u;
        u = v;
        v = w;
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] + 0.5 * v[i];
    free(u);
    free(v);
    return sum;
}

static double days(const double *k, int n)
{
    double buffers[3][8] = {{0}}, *a = buffers[0], *b = buffers[1], *c = buffers[2], sum = 0;
    double *u = malloc(sizeof *u * n), *v = calloc(n, sizeof *v);
    for (int i = 0; i < n; i++)
        a[i] = u[i] = k[i];
    for (int day = 0; day < 4; day++) {
        for (int t = 0; t < 5; t++) {
            __enzyme_checkpoint(0);
            step(n, u, v, 0.1, 1.0);
            step(n, a, b, 0.1, 0.9);
            double *w = u;
            u = v;
            v = w;
            w = a;
            a = b;
            b = c;
            c = w;
        }
        sum += u[1] * v[2] + a[2] * b[1] - c[3];
        if (day == 2) {
            double *w = u;
            u = v;
            v = w;
        }
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] - a[i] * c[i];
    free(u);
    free(v);
    return sum;
}

double objective(const double *x, int n)
{
    return heated_and_cooled(x, n, 20, 30) + heated_and_cooled(x, n, 7, 0) * heated_and_cooled(x, n, 0, 4) + days(x, n);
}
