// check: main
// What one request writes as a shadow, the next one reads as the primal: buffers change places from call to call, in
// loops that the optimiser unrolls, and the pieces are small enough to be inlined.
#include <math.h>
#include <stdio.h>
#include <string.h>

int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

#define N 4
#define ROUNDS 4

static double energy(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * x[i] * x[(i + 1) % N];
    return sum;
}

static void by_hand(const double *x, double *g)
{
    for (int i = 0; i < N; i++)
        g[i] = 2 * x[i] * x[(i + 1) % N] + x[(i + N - 1) % N] * x[(i + N - 1) % N];
}

static void squares(const double *x, double *y)
{
    for (int i = 0; i < N; i++)
        y[i] = x[i] * x[(i + 1) % N];
}

/* The gradient of the gradient's gradient …: x becomes ∇f(x), over and over. */
static void gradients(double *a, double *b)
{
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < N; i++)
            b[i] = 0;
        __enzyme_autodiff((void *)energy, enzyme_dup, a, b);
        double *c = a;
        a = b;
        b = c;
    }
}

/* The tangent of one call is the point of the next. */
static void tangents(double *a, double *b, double *y)
{
    double dx[N];
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < N; i++)
            dx[i] = 1 + i;
        __enzyme_fwddiff((void *)squares, enzyme_dup, a, dx, enzyme_dup, y, b);
        double *c = a;
        a = b;
        b = c;
    }
}

/* One element at a time: the element that was just written is the next point. */
static double cube(const double *x) { return x[0] * x[0] * x[0]; }

static void along(double *x)
{
    for (int i = 0; i + 1 < N; i++) {
        x[i + 1] = 0;
        __enzyme_autodiff((void *)cube, enzyme_dup, x + i, x + i + 1);
    }
}

static int wrong(const char *name, const double *got, const double *expected)
{
    int bad = 0;
    for (int i = 0; i < N; i++)
        if (!(fabs(got[i] - expected[i]) <= 1e-12 * (1 + fabs(expected[i])))) {
            printf("%s[%d]: %.17g instead of %.17g\n", name, i, got[i], expected[i]);
            bad = 1;
        }
    return bad;
}

int main(void)
{
    const double start[N] = {0.5, -0.3, 0.7, 0.2};
    double a[N], b[N], y[N], p[N], q[N];

    memcpy(a, start, sizeof a);
    gradients(a, b);
    memcpy(p, start, sizeof p);
    for (int k = 0; k < ROUNDS; k++) {
        by_hand(p, q);
        memcpy(p, q, sizeof p);
    }
    int bad = wrong("gradient", a, p);

    memcpy(a, start, sizeof a);
    tangents(a, b, y);
    memcpy(p, start, sizeof p);
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < N; i++)
            q[i] = p[i] * (1 + (i + 1) % N) + (1 + i) * p[(i + 1) % N];
        memcpy(p, q, sizeof p);
    }
    bad |= wrong("tangent", a, p);

    memcpy(a, start, sizeof a);
    along(a);
    p[0] = start[0];
    for (int i = 0; i + 1 < N; i++)
        p[i + 1] = 3 * p[i] * p[i];
    return bad | wrong("chain", a, p);
}
