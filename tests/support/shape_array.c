/* REAL objective(REAL *x, int n): a number from an array. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#ifndef REAL
#define REAL double
#endif

extern REAL objective(REAL *x, int n);

#if defined(REVERSE) || defined(FORWARD)
extern int enzyme_const, enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern REAL __enzyme_fwddiff(void *, ...);
#endif
#ifdef SPLIT
extern int enzyme_out;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern REAL __enzyme_fwdsplit(void *, ...);
#endif

int outputs_of(int n, int m)
{
    (void)n, (void)m;
    return 1;
}

static REAL *copied(const double *from, int n)
{
    REAL *to = malloc(sizeof(REAL) * (n + 1));
    for (int i = 0; i < n; i++)
        to[i] = (REAL)from[i];
    to[n] = 123456;
    return to;
}

static void untouched(const char *what, const REAL *after, const double *before, int n)
{
    for (int i = 0; i < n; i++)
        if (after[i] != (REAL)before[i])
            fail("%s changed x[%d] from %.15g to %.15g", what, i, before[i], (double)after[i]);
    if (after[n] != 123456)
        fail("%s wrote behind the end of x", what);
}

void evaluate(const double *x, double *y, int n, int m)
{
    (void)m;
    REAL *point = copied(x, n);
    y[0] = (double)objective(point, n);
    if (!settings.mutates)
        untouched("the primal", point, x, n);
    free(point);
}

#ifdef REVERSE
void pull(const double *x, double *y, const double *w, double *x_bar, int n, int m)
{
    (void)m, (void)w;
    REAL *point = copied(x, n), *bar = copied(x_bar, n), *after = copied(x, n);
    y[0] = (double)objective(after, n);
    if (settings.mutates) /* the shadow holds the adjoint of x after the call: here nothing reads it */
        memset(bar, 0, sizeof(REAL) * n);
#ifdef SPLIT
    void *tape = __enzyme_augmentfwd((void *)objective, enzyme_dup, point, bar, enzyme_const, n);
    REAL *moved = copied(x, n); /* the tape does not rely on memory of the caller's */
    memset(moved, 0x7f, sizeof(REAL) * n);
    __enzyme_reverse((void *)objective, enzyme_dup, moved, bar, enzyme_const, n, (REAL)1.0, tape);
    free(moved);
#else
    __enzyme_autodiff((void *)objective, enzyme_dup, point, bar, enzyme_const, n);
#endif
    if (bar[n] != 123456)
        fail("reverse mode wrote behind the end of the shadow");
    for (int i = 0; i < n; i++) {
        if (point[i] != after[i])
            fail("reverse mode leaves x[%d] = %.15g, the primal %.15g", i, (double)point[i], (double)after[i]);
        x_bar[i] = settings.mutates ? x_bar[i] + (double)bar[i] : (double)bar[i];
    }
    free(point);
    free(bar);
    free(after);
}
#endif

#ifdef FORWARD
void push(const double *x, const double *v, double *y_dot, int n, int m)
{
    (void)m;
    REAL *point = copied(x, n), *dot = copied(v, n);
#ifdef SPLIT
    REAL *bar = calloc(n + 1, sizeof(REAL));
    void *tape = __enzyme_augmentfwd((void *)objective, enzyme_dup, point, bar, enzyme_const, n);
    y_dot[0] = (double)__enzyme_fwdsplit((void *)objective, enzyme_dup, point, dot, enzyme_const, n, tape);
    free(bar);
#else
    y_dot[0] = (double)__enzyme_fwddiff((void *)objective, enzyme_dup, point, dot, enzyme_const, n);
#endif
    if (!settings.mutates) {
        untouched("forward mode", point, x, n);
        untouched("forward mode (tangent)", dot, v, n);
    }
    free(point);
    free(dot);
}
#endif

#ifdef LANES
extern int enzyme_width, enzyme_seed;
typedef struct {
    REAL lane[2];
} Tangents;
extern Tangents __enzyme_fwddiff_lanes(void *, ...);

void pull_lanes(const double *x, const double *const w[2], double *const x_bar[2], int n, int m)
{
    (void)m;
    REAL *point = copied(x, n), *bar[2];
    for (int lane = 0; lane < 2; lane++) {
        bar[lane] = copied(x_bar[lane], n);
        if (settings.mutates)
            memset(bar[lane], 0, sizeof(REAL) * n);
    }
    __enzyme_autodiff((void *)objective, enzyme_width, 2, enzyme_seed, (REAL)w[0][0], (REAL)w[1][0], enzyme_dup, point,
                      bar[0], bar[1], enzyme_const, n);
    for (int lane = 0; lane < 2; lane++) {
        for (int i = 0; i < n; i++)
            x_bar[lane][i] = settings.mutates ? x_bar[lane][i] + (double)bar[lane][i] : (double)bar[lane][i];
        free(bar[lane]);
    }
    free(point);
}

void push_lanes(const double *x, const double *const v[2], double *const y_dot[2], int n, int m)
{
    (void)m;
    REAL *point = copied(x, n), *dot[2] = {copied(v[0], n), copied(v[1], n)};
    const Tangents tangents =
        __enzyme_fwddiff_lanes((void *)objective, enzyme_width, 2, enzyme_dup, point, dot[0], dot[1], enzyme_const, n);
    for (int lane = 0; lane < 2; lane++) {
        y_dot[lane][0] = (double)tangents.lane[lane];
        free(dot[lane]);
    }
    free(point);
}
#endif
