// check: main
// Static work arrays that grow, and that the function frees itself: each of their shadows is given back once, with the tape.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct { double *a, *b; size_t room; } work;
static double objective(const double *x, int n)
{
    if ((size_t)n > work.room) {
        work.a = realloc(work.a, n * sizeof *work.a);
        work.b = realloc(work.b, n * sizeof *work.b);
        work.room = n;
    }
    for (int i = 0; i < n; i++)
        work.a[i] = x[i] * x[i];
    work.b[0] = x[1];
    double sum = work.a[0] * work.b[0];
    free(work.a);
    free(work.b);
    memset(&work, 0, sizeof work);
    return sum;
}
extern int enzyme_dup;
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
void __enzyme_reverse(void *, ...);
static int failures;
static void near(const char *what, double value, double wanted)
{
    if (!(fabs(value - wanted) < 1e-12))
        printf("FAIL: %s is %g, expected %g\n", what, value, wanted), failures++;
}
int main(void)
{
    for (int round = 0; round < 3; round++) {
        double x[3] = {.5, .6 + round, .7}, dx[3] = {1, 2, 3}, g[3] = {0};
        void *tape = __enzyme_augmentfwd((void *)objective, enzyme_dup, x, dx, 3);
        near("tangent", __enzyme_fwdsplit((void *)objective, enzyme_dup, x, dx, 3, tape), 2 * x[0] * x[1] + 2 * x[0] * x[0]);
        tape = __enzyme_augmentfwd((void *)objective, enzyme_dup, x, g, 3);
        __enzyme_reverse((void *)objective, enzyme_dup, x, g, 3, 1.0, tape);
        near("first", g[0], 2 * x[0] * x[1]);
        near("second", g[1], x[0] * x[0]);
    }
    return failures != 0;
}
