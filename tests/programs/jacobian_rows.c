// check: main flags=-Itests/support
// Rows of a Jacobian asked for one by one, which the pass answers at once; where memory overlaps, they are one by one.
#include "expect.h"
#include <math.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_dupnoneed, enzyme_out;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static void residual(const double *x, double w, double *y)
{
    double s = 0.0;
    for (int i = 0; i < 3; i++)
        s += x[i] * x[i];
    y[0] = w * sin(x[0]) * s;
    y[1] = w * x[1] * x[2];
    y[2] = w * w * s;
}

// What is stored behind a request may be memory that the next one reads: `out` is `x` or apart from it.
__attribute__((noinline)) static void rows(const double *x, double w, double *jac, double *out, int step)
{
    for (int row = 0; row < 3; row++) {
        double y[3], bar[3] = {0.0, 0.0, 0.0};
        bar[row] = 1.0;
        out[row * step] = __enzyme_autodiff((void *)residual, enzyme_dup, x, jac + 3 * row, enzyme_out, w,
                                            enzyme_dupnoneed, y, bar);
    }
}

// All rows are added to one gradient: their shadows overlap.
__attribute__((noinline)) static void sum_of_rows(const double *x, double w, double *sum)
{
    for (int row = 0; row < 2; row++) {
        double y[3], bar[3] = {0.0, 0.0, 0.0};
        bar[row] = 1.0;
        __enzyme_autodiff_void((void *)residual, enzyme_dup, x, sum, enzyme_const, w, enzyme_dupnoneed, y, bar);
    }
}

static void by_hand(const double *x, double w, int row, double *d, double *d_w)
{
    const double s = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    for (int i = 0; i < 3; i++)
        d[i] = row == 0 ? w * sin(x[0]) * 2.0 * x[i] : row == 2 ? w * w * 2.0 * x[i] : 0.0;
    if (row == 0)
        d[0] += w * cos(x[0]) * s;
    if (row == 1) {
        d[1] = w * x[2];
        d[2] = w * x[1];
    }
    *d_w = row == 0 ? sin(x[0]) * s : row == 1 ? x[1] * x[2] : 2.0 * w * s;
}

static void check(double *x, double w, double *out, int step)
{
    double jac[9] = {0.0}, now[3], expected[9], expected_w[3];
    memcpy(now, x, sizeof now);
    for (int row = 0; row < 3; row++) {
        by_hand(now, w, row, expected + 3 * row, expected_w + row);
        if (out == x)
            now[row * step] = expected_w[row];
    }
    rows(x, w, jac, out, step);
    for (int i = 0; i < 9; i++)
        EXPECT(jac[i], expected[i]);
    if (step)
        for (int row = 0; row < 3; row++)
            EXPECT(out[row * step], expected_w[row]);
}

int main(void)
{
    double x[3] = {0.5, -1.5, 2.0}, out[9];
    check(x, 1.25, out, 1);
    check(x, 1.25, out, 3);
    check(x, 1.25, x, 1);
    double other[3] = {0.25, 0.75, -2.0};
    check(other, 0.5, other, 0);

    double z[3] = {0.5, -1.5, 2.0}, sum[3] = {0.0, 0.0, 0.0}, one[3], two[3], w;
    sum_of_rows(z, 1.25, sum);
    by_hand(z, 1.25, 0, one, &w);
    by_hand(z, 1.25, 1, two, &w);
    for (int i = 0; i < 3; i++)
        EXPECT(sum[i], one[i] + two[i]);
    return expect_failures != 0;
}
