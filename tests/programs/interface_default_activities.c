// check: main flags=-Itests/support
// No markers: integers are constant, floats active by value, pointers are followed by their shadows.
#include "expect.h"

static double f(const double *x, int n, double a, float b)
{
    double sum = a;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * b;
    return sum;
}

typedef struct {
    double a;
    float b;
} adjoints;

extern adjoints __enzyme_autodiff(double (*)(const double *, int, double, float), const double *, double *, int, double,
                                  float);
extern double __enzyme_fwddiff(double (*)(const double *, int, double, float), const double *, const double *, int,
                               double, double, float, float);

int main(void)
{
    double x[2] = {1.5, -2.0}, bar[2] = {1.0, 1.0}, dot[2] = {0.5, 1.0};
    adjoints got = __enzyme_autodiff(f, x, bar, 2, 3.0, 0.5f);
    EXPECT(got.a, 1.0);
    EXPECT(got.b, 6.25);
    EXPECT(bar[0], 1.0 + 1.5);
    EXPECT(bar[1], 1.0 - 2.0);
    EXPECT(__enzyme_fwddiff(f, x, dot, 2, 3.0, 1.0, 0.5f, 2.0f), 1.0 + 1.5 * 0.5 - 2.0 + 2.0 * 6.25);
    return expect_failures != 0;
}
