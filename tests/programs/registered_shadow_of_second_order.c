// check: main flags=-Itests/support
// A global variable with a registered shadow, which both derivatives of a second order use: one moves along it, the other adds to it.
#include "expect.h"
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;

static double k[4] = { 0.7, 0.6, 0.3, 0.5 }, dk[4];
void *__enzyme_shadow_k[] = { k, dk };

static double f(double x, const int *order)
{
    double s = x;
    for (int i = 0; order[i] >= 0; i++) s = sin(k[order[i]] * s) + s * s * 0.1;
    return s;
}
static double along(double x, const int *order) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, 1.0, enzyme_const, order); }
static double slope(double x, const int *order) { return __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_const, order); }

/* By differences of the inner derivative: where `by` is not negative, by that element of `k`. */
static double differences(double inner(double, const int *), double x, const int *order, int by)
{
    double *at = by < 0 ? &x : &k[by], h = 1e-5, up, down, kept[4];
    memcpy(kept, dk, sizeof dk);
    *at += h; up = inner(x, order); *at -= 2 * h; down = inner(x, order); *at += h;
    memcpy(dk, kept, sizeof dk);
    return (up - down) / (2 * h);
}
static void near(const char *what, double got, double want)
{
    if (fabs(got - want) > 1e-8 * (1 + fabs(want))) {
        printf("FAIL: %s is %.15g, expected %.15g\n", what, got, want);
        expect_failures++;
    }
}
int main(void)
{
    const int order[] = { 0, 2, 1, 0, 0, 3, -1 };
    double x = 0.8;
    // Reverse over forward: the tangent of k is zero when the inner derivative reads it.
    double second = __enzyme_autodiff((void *)along, enzyme_out, x, enzyme_const, order);
    double adjoint[4];
    memcpy(adjoint, dk, sizeof dk);
    memset(dk, 0, sizeof dk);
    near("reverse over forward by x", second, differences(along, x, order, -1));
    for (int i = 0; i < 4; i++) near("reverse over forward by k", adjoint[i], differences(along, x, order, i));
    // Forward over forward, along k as well: both move along the same direction.
    memcpy(dk, (double[]) { 0.3, -0.2, 0.5, 0.1 }, sizeof dk);
    double curved = __enzyme_fwddiff((void *)along, enzyme_dup, x, 1.0, enzyme_const, order), h = 1e-5, ends[2];
    for (int side = 0; side < 2; side++) {
        double sign = side ? -h : h;
        for (int i = 0; i < 4; i++) k[i] += sign * dk[i];
        ends[side] = along(x + sign, order);
        for (int i = 0; i < 4; i++) k[i] -= sign * dk[i];
    }
    near("forward over forward", curved, (ends[0] - ends[1]) / (2 * h));
    // Reverse over reverse: the shadow has the sum of what both add.
    memset(dk, 0, sizeof dk);
    second = __enzyme_autodiff((void *)slope, enzyme_out, x, enzyme_const, order);
    near("reverse over reverse by x", second, differences(slope, x, order, -1));
    return expect_failures != 0;
}
