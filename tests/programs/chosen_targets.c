// check: main
// Which function is differentiated is chosen at run time, among known ones.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, double, double);

static double square(double x)
{
    return x * x;
}

static double wave(double x)
{
    return sin(3 * x);
}

static double bent(double x)
{
    return log1p(exp(x));
}

static double __attribute__((noinline)) slope(int which, double x)
{
    double (*f)(double) = which == 0 ? square : which == 1 ? wave : bent;
    return __enzyme_autodiff((void *)f, enzyme_out, x);
}

static double __attribute__((noinline)) tangent(int which, double x, double dx)
{
    double (*f)(double) = which ? wave : square;
    return __enzyme_fwddiff((void *)f, x, dx);
}

static int wrong;

static void expect(double found, double expected)
{
    if (fabs(found - expected) > 1e-12) {
        printf("%.17g, expected %.17g\n", found, expected);
        wrong = 1;
    }
}

int main(int argc, char **argv)
{
    double x = 0.7 * argc;
    expect(slope(argc - 1, x), 2 * x);
    expect(slope(argc, x), 3 * cos(3 * x));
    expect(slope(argc + 1, x), 1 / (1 + exp(-x)));
    expect(tangent(argc - 1, x, 2.0), 4 * x);
    expect(tangent(argc, x, 2.0), 6 * cos(3 * x));
    return wrong;
}
