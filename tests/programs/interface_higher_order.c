// check: main flags=-Itests/support
// Derivatives of derivatives: every mode over every other, three deep, with memory, loops, calls and several lanes.
#include "expect.h"

#include <stdlib.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

enum { N = 4 };

__attribute__((noinline)) static double term(double a, double b)
{
    return a > b ? exp(0.3 * a) * b : a * sin(b);
}

static double f(const double *x)
{
    double *y = malloc(sizeof *y * N), sum = 0.0;
    for (int i = 0; i < N; i++)
        y[i] = x[i] * x[i];
    for (int i = 0; i < N; i++)
        sum += term(y[i], x[(i + 1) % N]);
    free(y);
    return sum;
}

static void gradient(const double *x, double *bar)
{
    for (int i = 0; i < N; i++)
        bar[i] = 0.0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar);
}

static double slope(const double *x, const double *v)
{
    return __enzyme_fwddiff((void *)f, enzyme_dup, x, v);
}

/* Hessian times vector, by forward over reverse */
static void curvature(const double *x, const double *v, double *hv)
{
    double bar[N];
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, bar, hv);
}

/* v.Hv: forward over forward */
static double second(const double *x, const double *v)
{
    return __enzyme_fwddiff((void *)slope, enzyme_dup, x, v, enzyme_const, v);
}

static double norm(const double *x)
{
    double bar[N], sum = 0.0;
    gradient(x, bar);
    for (int i = 0; i < N; i++)
        sum += bar[i] * bar[i];
    return 0.5 * sum;
}

static double cube(double x)
{
    return x * x * x * x * exp(x);
}
static double d1(double x)
{
    return __enzyme_autodiff((void *)cube, x);
}
static double d2(double x)
{
    return __enzyme_autodiff((void *)d1, x);
}
static double d3(double x)
{
    return __enzyme_autodiff((void *)d2, x);
}
static double e2(double x)
{
    return __enzyme_fwddiff((void *)d1, x, 1.0);
}
static double e3(double x)
{
    return __enzyme_autodiff((void *)e2, x);
}

typedef struct {
    double lane[2];
} two;
extern void __enzyme_fwddiff_lanes(void *, ...);

int main(void)
{
    const double x[N] = {0.7, 1.3, 0.4, 1.1}, v[N] = {1.0, -0.5, 0.25, 2.0}, w[N] = {0.0, 1.0, 0.5, -1.0};
    double hv[N] = {0.0}, hw[N] = {0.0}, back[N] = {0.0}, bar[N], one[N], other[N];
    curvature(x, v, hv);
    curvature(x, w, hw);
    double left = 0.0, right = 0.0, quadratic = 0.0;
    for (int i = 0; i < N; i++) {
        left += hv[i] * w[i];
        right += hw[i] * v[i];
        quadratic += hv[i] * v[i];
    }
    EXPECT(left, right);
    EXPECT(second(x, v), quadratic);

    /* the Hessian by two lanes at once */
    for (int i = 0; i < N; i++)
        one[i] = other[i] = 0.0;
    __enzyme_fwddiff_lanes((void *)gradient, enzyme_width, 2, enzyme_dup, x, v, w, enzyme_dup, bar, one, other);
    for (int i = 0; i < N; i++) {
        EXPECT(one[i], hv[i]);
        EXPECT(other[i], hw[i]);
    }

    /* reverse over reverse: the gradient of |grad f|^2 / 2 is H grad f */
    __enzyme_autodiff((void *)norm, enzyme_dup, x, back);
    gradient(x, bar);
    curvature(x, bar, hv);
    for (int i = 0; i < N; i++)
        EXPECT(back[i], hv[i]);
    /* reverse over forward */
    double rf[N] = {0.0};
    __enzyme_autodiff((void *)slope, enzyme_dup, x, rf, enzyme_const, w);
    for (int i = 0; i < N; i++)
        EXPECT(rf[i], hw[i]);

    const double a = 0.8, e = exp(a);
    EXPECT(d1(a), e * (a * a * a * a + 4 * a * a * a));
    EXPECT(d2(a), e * (a * a * a * a + 8 * a * a * a + 12 * a * a));
    EXPECT(d3(a), e * (a * a * a * a + 12 * a * a * a + 36 * a * a + 24 * a));
    EXPECT(e3(a), e * (a * a * a * a + 12 * a * a * a + 36 * a * a + 24 * a));
    EXPECT(__enzyme_fwddiff((void *)d3, a, 1.0),
           e * (a * a * a * a + 16 * a * a * a + 72 * a * a + 96 * a + 24));
    return expect_failures != 0;
}
