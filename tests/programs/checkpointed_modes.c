// check: main flags=-Itests/support
// A checkpointed loop in every mode: where tapes are used twice, or derivatives differentiated, it keeps every step.
#include "expect.h"
#include <string.h>
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_out, enzyme_nofree;
void __enzyme_checkpoint(long);
#define BODY(NAME) \
static double NAME(double *x, double dt, int n, int steps) \
{ \
    double y[6] = {0}, sum = 0; \
    for (int i = 0; i < n; i++) y[i] = x[i]; \
    for (int s = 0; s < steps; s++) { \
        __enzyme_checkpoint(3); \
        for (int i = 0; i < n; i++) y[i] += dt * sin(y[(i + 1) % n]) * x[i]; \
    } \
    for (int i = 0; i < n; i++) sum += y[i] * y[i]; \
    return sum; \
}
BODY(f) BODY(g) BODY(h) BODY(q) BODY(w)
static double grad(double *x, double *b, double dt, int n, int steps) { return __enzyme_autodiff((void *)f, enzyme_dup, x, b, enzyme_out, dt, enzyme_const, n, enzyme_const, steps); }
static void gradg(double *x, double *b, double dt, int n, int steps) { __enzyme_autodiff((void *)q, enzyme_dup, x, b, enzyme_const, dt, enzyme_const, n, enzyme_const, steps); }
static void near(const char *n, double a, double b) { if (!(fabs(a - b) < 2e-5 * (1 + fabs(b)))) { printf("FAIL: %s is %.10g, expected %.10g\n", n, a, b); expect_failures++; } }
int main(void)
{
    double x[6], b[6] = {0}, c[6] = {0}, d[6] = {0}, e[6] = {0};
    for (int i = 0; i < 6; i++) { x[i] = sin(1.0 + i); d[i] = cos(i); }
    double dtb = grad(x, b, 0.05, 6, 50), hh = 1e-6;
    near("dt", dtb, (f(x, 0.05 + hh, 6, 50) - f(x, 0.05 - hh, 6, 50)) / 2e-6);
    for (int i = 0; i < 6; i++) { double s = x[i]; x[i] = s + hh; double u = f(x, 0.05, 6, 50); x[i] = s - hh; double l = f(x, 0.05, 6, 50); x[i] = s; near("x", b[i], (u - l) / 2e-6); }
    double dot = 0; for (int i = 0; i < 6; i++) dot += b[i] * d[i];
    near("forward", __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50), dot);
    // split, with memory changed between
    void *tape = __enzyme_augmentfwd((void *)g, enzyme_dup, x, c, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50);
    __enzyme_reverse((void *)g, enzyme_dup, x, c, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50, 1.0, tape);
    for (int i = 0; i < 6; i++) near("split", c[i], b[i]);
    memset(c, 0, sizeof c);
    tape = __enzyme_augmentfwd((void *)h, enzyme_dup, x, c, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50);
    near("replay", __enzyme_fwdsplit((void *)h, enzyme_nofree, enzyme_dup, x, d, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50, tape), dot);
    __enzyme_reverse((void *)h, enzyme_nofree, enzyme_dup, x, c, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50, 1.0, tape);
    __enzyme_reverse((void *)h, enzyme_dup, x, c, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50, 1.0, tape);
    for (int i = 0; i < 6; i++) near("twice", c[i], 2 * b[i]);
    // second order
    double hv[6] = {0}, gb[6] = {0};
    __enzyme_fwddiff((void *)gradg, enzyme_dup, x, d, enzyme_dup, gb, hv, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50);
    double up[6] = {0}, dn[6] = {0}, y[6];
    for (int i = 0; i < 6; i++) y[i] = x[i] + hh * d[i];
    grad(y, up, 0.05, 6, 50);
    for (int i = 0; i < 6; i++) y[i] = x[i] - hh * d[i];
    grad(y, dn, 0.05, 6, 50);
    for (int i = 0; i < 6; i++) near("hvp", hv[i], (up[i] - dn[i]) / 2e-6);
    // width
    double b0[6] = {0}, b1[6] = {0};
    __enzyme_autodiff((void *)w, enzyme_width, 2, enzyme_dup, x, b0, b1, enzyme_const, 0.05, enzyme_const, 6, enzyme_const, 50);
    for (int i = 0; i < 6; i++) { near("w0", b0[i], b[i]); near("w1", b1[i], b[i]); }
    return expect_failures != 0;
}
