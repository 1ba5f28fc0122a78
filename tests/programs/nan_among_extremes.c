// check: main
// fmax and fmin leave out what is no number, and the adjoint goes to the one element that is the extreme.
#include <math.h>
#include <stdio.h>

#define N 6

int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double high(const double *x, double start)
{
    for (int i = 0; i < N; i++)
        start = fmax(start, x[i]);
    return start;
}

static double high_too(const double *x, double start)
{
    for (int i = 0; i < N; i++)
        start = fmax(x[i], start);
    return start;
}

static double low(const double *x, double start)
{
    for (int i = 0; i < N; i++)
        start = fmin(start, x[i]);
    return start;
}

static double low_too(const double *x, double start)
{
    for (int i = 0; i < N; i++)
        start = fmin(x[i], start);
    return start;
}

static int check(const char *name, double (*function)(const double *, double), const double *x, double start, double value,
                 const double *slopes)
{
    double g[N] = {0}, dx[N], sum = 0;
    int bad = function(x, start) != value;
    if (function == high)
        __enzyme_autodiff((void *)high, enzyme_dup, x, g, enzyme_const, start);
    else if (function == high_too)
        __enzyme_autodiff((void *)high_too, enzyme_dup, x, g, enzyme_const, start);
    else if (function == low)
        __enzyme_autodiff((void *)low, enzyme_dup, x, g, enzyme_const, start);
    else
        __enzyme_autodiff((void *)low_too, enzyme_dup, x, g, enzyme_const, start);
    for (int i = 0; i < N; i++) {
        dx[i] = 1 + i;
        sum += dx[i] * slopes[i];
        bad |= g[i] != slopes[i];
    }
    double tangent;
    if (function == high)
        tangent = __enzyme_fwddiff((void *)high, enzyme_dup, x, dx, enzyme_const, start);
    else if (function == high_too)
        tangent = __enzyme_fwddiff((void *)high_too, enzyme_dup, x, dx, enzyme_const, start);
    else if (function == low)
        tangent = __enzyme_fwddiff((void *)low, enzyme_dup, x, dx, enzyme_const, start);
    else
        tangent = __enzyme_fwddiff((void *)low_too, enzyme_dup, x, dx, enzyme_const, start);
    bad |= tangent != sum;
    if (bad)
        printf("%s: tangent %g, adjoints %g %g %g %g %g %g\n", name, tangent, g[0], g[1], g[2], g[3], g[4], g[5]);
    return bad;
}

int main(void)
{
    const double some[N] = {NAN, 2, NAN, 3, 1, NAN}, none[N] = {NAN, NAN, NAN, NAN, NAN, NAN}, all[N] = {4, 2, 5, 3, 1, 0};
    const double at3[N] = {0, 0, 0, 1, 0, 0}, at4[N] = {0, 0, 0, 0, 1, 0}, at2[N] = {0, 0, 1, 0, 0, 0}, no[N] = {0};
    int bad = check("high", high, some, NAN, 3, at3) | check("high", high, some, -INFINITY, 3, at3);
    bad |= check("high too", high_too, some, NAN, 3, at3) | check("high too", high_too, some, -9, 3, at3);
    bad |= check("low", low, some, NAN, 1, at4) | check("low too", low_too, some, NAN, 1, at4);
    bad |= check("low", low, some, 9, 1, at4) | check("low too", low_too, some, 0.5, 0.5, no);
    bad |= check("none", high, none, 7, 7, no) | check("none", high_too, none, 7, 7, no);
    bad |= check("all", high, all, 0, 5, at2) | check("all", high_too, all, 0, 5, at2);
    return bad;
}
