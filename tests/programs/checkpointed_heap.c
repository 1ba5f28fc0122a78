// check: main flags=-Itests/support
// Checkpointed loops whose arrays are allocated and freed in the loop around them, and in a function that is called there.
#include "expect.h"
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
void __enzyme_checkpoint(long);
void __enzyme_checkpoint_memory(void *, long);
__attribute__((noinline)) static double inner(double *p, int n, int steps)
{
    double *u = malloc(n * sizeof *u), *v = calloc(n, sizeof *v), s = 0, hist[64];
    for (int i = 0; i < n; i++) u[i] = p[i % 3] + 0.1 * i;
    for (int k = 0; k < steps; k++) {
        __enzyme_checkpoint(0);
        __enzyme_checkpoint_memory(p, 3 * sizeof *p);
        for (int i = 0; i < n; i++) v[i] = u[i] + 0.01 * p[i % 3] * sin(u[(i + 1) % n]);
        double *t = u; u = v; v = t;
        hist[k] = u[k % n];
        if (u[0] > 4) break;
    }
    for (int i = 0; i < n; i++) s += u[i] * u[i];
    p[1] *= 1.01;
    free(u); free(v);
    return s * hist[2];
}
static double f(double *p, int n, int outer)
{
    double total = 0;
    for (int o = 0; o < outer; o++) {
        double *w = malloc(8 * sizeof *w);
        for (int i = 0; i < 8; i++) w[i] = total * 0.01 + p[i % 3];
        total += inner(p, n + o, 20 + o);
        for (int k = 0; k < 15; k++) {
            __enzyme_checkpoint(4);
            for (int i = 0; i < 8; i++) w[i] += 0.01 * w[(i + 1) & 7] * w[i];
        }
        total = 0.1 * total + w[o & 7];
        free(w);
    }
    return total;
}
static void grad(double *p, double *b) { __enzyme_autodiff((void *)f, enzyme_dup, p, b, enzyme_const, 5, enzyme_const, 4); }
int main(void)
{
    double p[3] = {0.6, 0.8, 1.2}, b[3] = {0}, d[3] = {1, -0.5, 0.3}, q[3] = {0.6, 0.8, 1.2};
    grad(p, b);
    double dd = __enzyme_fwddiff((void *)f, enzyme_dup, q, d, enzyme_const, 5, enzyme_const, 4);
    double r = b[0] - 0.5 * b[1] + 0.3 * b[2];
    EXPECT(r, dd);
    EXPECT(p[1], q[1]); /* what the function leaves is there, whatever steps were run again */
    return expect_failures != 0;
}
