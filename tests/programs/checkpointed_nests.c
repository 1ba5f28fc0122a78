// check: array n=7
// Checkpointed loops in the steps of others: several pointers into one array, which the inner loop gets from the outer
// step, and buffers that take turns in the outer one.
#include <math.h>

void __enzyme_checkpoint(long);

static double two_pointers(const double *x, int n)
{
    double a[32], sum = 0;
    for (int i = 0; i < 32; i++)
        a[i] = x[i % n] * (1 + 0.02 * i);
    double *p = a + n, *q = a + n / 2;
    for (int j = 0; j < 5; j++) {
        __enzyme_checkpoint(1);
        for (int l = 0; l < n - 1; l++) {
            __enzyme_checkpoint(1);
            p[1 - j] = sin(q[l + 1] * q[j + 1]);
        }
        sum += a[j] * p[j];
    }
    for (int i = 0; i < 32; i++)
        sum += a[i] * 0.1;
    return sum;
}

static double rows(const double *x, int n)
{
    double a[12], b[16], sum = 0;
    for (int i = 0; i < 12; i++)
        a[i] = x[i % n] * (1 + 0.02 * i);
    for (int i = 0; i < 16; i++)
        b[i] = 0.5 * x[i % n];
    for (int i = 0; i < n - 2; i++)
        for (int j = 0; j < n - 1; j++) {
            __enzyme_checkpoint(1);
            for (int l = 0; l < n; l++) {
                __enzyme_checkpoint(1);
                a[i + j] = a[i + j] * 0.9 + 0.02 * b[j + l] * a[i];
            }
            b[j] += a[j] * 0.1;
        }
    for (int i = 0; i < 12; i++)
        sum += a[i] * 0.1 + b[i] * 0.2;
    return sum;
}

static double turns(const double *x, int n)
{
    double a[8], b[8], sum = 0, *u = a, *v = b;
    for (int i = 0; i < n; i++) {
        a[i] = x[i];
        b[i] = 0;
    }
    for (int t = 0; t < n + 2; t++) {
        __enzyme_checkpoint(2);
        for (int k = 0; k < n; k++) {
            __enzyme_checkpoint(2);
            for (int i = 0; i < n; i++)
                v[i] = 0.9 * v[i] + 0.1 * u[(i + k) % n] * u[i];
        }
        double *w = u;
        u = v;
        v = w;
    }
    for (int i = 0; i < n; i++)
        sum += a[i] + b[i] * 2;
    return sum;
}

double objective(const double *x, int n)
{
    return two_pointers(x, n) + rows(x, n) + turns(x, n);
}
