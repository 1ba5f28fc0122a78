/* void transform(const double *x, double *y, int n, int m): an array from an array. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

extern void transform(const double *x, double *y, int n, int m);

#if defined(REVERSE) || defined(FORWARD)
extern int enzyme_const, enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
#endif
#ifdef SPLIT
extern int enzyme_out;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern void __enzyme_fwdsplit(void *, ...);
#endif

int outputs_of(int n, int m)
{
    (void)n;
    return m;
}

void evaluate(const double *x, double *y, int n, int m)
{
    memset(y, 0, sizeof *y * m);
    transform(x, y, n, m);
}

#ifdef REVERSE
void pull(const double *x, double *y, const double *w, double *x_bar, int n, int m)
{
    double *seed = malloc(sizeof *seed * (m + 1)), *point = malloc(sizeof *point * (n + 1));
    memcpy(seed, w, sizeof *seed * m);
    memcpy(point, x, sizeof *point * n);
    memset(y, 0, sizeof *y * m);
#ifdef SPLIT
    void *tape = __enzyme_augmentfwd((void *)transform, enzyme_dup, point, x_bar, enzyme_dup, y, seed, n, m);
    __enzyme_reverse((void *)transform, enzyme_dup, point, x_bar, enzyme_dup, y, seed, n, m, tape);
#else
    __enzyme_autodiff((void *)transform, enzyme_dup, point, x_bar, enzyme_dup, y, seed, enzyme_const, n, enzyme_const,
                      m);
#endif
    /* Overwritten outputs hand their adjoint on; outputs added to keep it. */
    for (int i = 0; i < m; i++)
        if (seed[i] != (settings.keeps ? w[i] : 0.0))
            fail("reverse mode leaves y_bar[%d] = %.15g, expected %.15g", i, seed[i], settings.keeps ? w[i] : 0.0);
    if (memcmp(point, x, sizeof *x * n) != 0)
        fail("reverse mode changed x");
    free(seed);
    free(point);
}
#endif

#ifdef FORWARD
void push(const double *x, const double *v, double *y_dot, int n, int m)
{
    double *y = calloc(m + 1, sizeof *y), *want = calloc(m + 1, sizeof *y);
    evaluate(x, want, n, m);
    memset(y_dot, 0, sizeof *y_dot * m);
#ifdef SPLIT
    double *bar = calloc(n + m + 2, sizeof *bar);
    void *tape = __enzyme_augmentfwd((void *)transform, enzyme_dup, x, bar, enzyme_dup, y, bar + n, n, m);
    __enzyme_fwdsplit((void *)transform, enzyme_dup, x, v, enzyme_dup, y, y_dot, n, m, tape);
    free(bar);
#else
    __enzyme_fwddiff((void *)transform, enzyme_dup, x, v, enzyme_dup, y, y_dot, enzyme_const, n, enzyme_const, m);
#endif
    for (int i = 0; i < m; i++)
        if (!(y[i] - want[i] <= 1e-12 * (1 + want[i] * want[i]) && want[i] - y[i] <= 1e-12 * (1 + want[i] * want[i])))
            fail("forward mode leaves y[%d] = %.15g, the primal %.15g", i, y[i], want[i]);
    free(y);
    free(want);
}
#endif

#ifdef LANES
extern int enzyme_width;

void pull_lanes(const double *x, const double *const w[2], double *const x_bar[2], int n, int m)
{
    double *y = calloc(m + 1, sizeof *y), *seed[2];
    for (int lane = 0; lane < 2; lane++) {
        seed[lane] = malloc(sizeof *y * (m + 1));
        memcpy(seed[lane], w[lane], sizeof *y * m);
    }
    __enzyme_autodiff((void *)transform, enzyme_width, 2, enzyme_dup, x, x_bar[0], x_bar[1], enzyme_dup, y, seed[0],
                      seed[1], enzyme_const, n, enzyme_const, m);
    free(seed[0]);
    free(seed[1]);
    free(y);
}

void push_lanes(const double *x, const double *const v[2], double *const y_dot[2], int n, int m)
{
    double *y = calloc(m + 1, sizeof *y);
    memset(y_dot[0], 0, sizeof *y * m);
    memset(y_dot[1], 0, sizeof *y * m);
    __enzyme_fwddiff((void *)transform, enzyme_width, 2, enzyme_dup, x, v[0], v[1], enzyme_dup, y, y_dot[0], y_dot[1],
                     enzyme_const, n, enzyme_const, m);
    free(y);
}
#endif
