// check: main flags=-Itests/support
// Tangents of adjoints where the tape has several arrays: numbers, integers and pointers, of lengths known at run time.
#include "expect.h"

#include <math.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

static double f(const double *x, int n)
{
    double sum = 0.0, *at = malloc(n * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = x[i];
    for (int step = 0; step < n; step++) {
        int chosen = step;
        for (int i = 0; i < n; i++)
            if (at[i] > at[chosen])
                chosen = i;
        double *where = at + chosen;
        int shift = (chosen * 7 + step) % n;
        *where = *where * at[shift] * 0.5 + sin(at[(shift + 1) % n]);
        sum += *where * *where * (shift % 3 + 1);
    }
    free(at);
    return sum;
}

static void gradient(const double *x, double *g, int n)
{
    for (int i = 0; i < n; i++)
        g[i] = 0.0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
}

int main(void)
{
    enum { n = 6 };
    double x[n], v[n], g[n], hv[n], up[n], down[n];
    for (int i = 0; i < n; i++) {
        x[i] = 0.7 + 0.13 * ((i * 5) % n);
        v[i] = 0.3 - 0.1 * i;
    }
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, hv, enzyme_const, n);
    const double h = 1e-5;
    double moved[n];
    for (int i = 0; i < n; i++)
        moved[i] = x[i] + h * v[i];
    gradient(moved, up, n);
    for (int i = 0; i < n; i++)
        moved[i] = x[i] - h * v[i];
    gradient(moved, down, n);
    for (int i = 0; i < n; i++)
        EXPECT(fabs(hv[i] - (up[i] - down[i]) / (2 * h)) < 1e-7 * (1.0 + fabs(hv[i])), 1);
    return expect_failures != 0;
}
