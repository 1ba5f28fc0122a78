/* void transform(double *x, int n): an array replaced by its image. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

extern void transform(double *x, int n);

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
    (void)m;
    return n;
}

void evaluate(const double *x, double *y, int n, int m)
{
    (void)m;
    memcpy(y, x, sizeof *y * n);
    transform(y, n);
}

#ifdef REVERSE
void pull(const double *x, double *y, const double *w, double *x_bar, int n, int m)
{
    (void)m;
    double *bar = malloc(sizeof *bar * (n + 1));
    memcpy(bar, w, sizeof *bar * n);
    memcpy(y, x, sizeof *y * n);
#ifdef SPLIT
    void *tape = __enzyme_augmentfwd((void *)transform, enzyme_dup, y, bar, n);
    __enzyme_reverse((void *)transform, enzyme_dup, y, bar, n, tape);
#else
    __enzyme_autodiff((void *)transform, enzyme_dup, y, bar, enzyme_const, n);
#endif
    for (int i = 0; i < n; i++)
        x_bar[i] += bar[i];
    free(bar);
}
#endif

#ifdef FORWARD
void push(const double *x, const double *v, double *y_dot, int n, int m)
{
    (void)m;
    double *y = malloc(sizeof *y * (n + 1));
    memcpy(y, x, sizeof *y * n);
    memcpy(y_dot, v, sizeof *y * n);
#ifdef SPLIT
    double *bar = calloc(n + 1, sizeof *bar);
    void *tape = __enzyme_augmentfwd((void *)transform, enzyme_dup, y, bar, n);
    __enzyme_fwdsplit((void *)transform, enzyme_dup, y, y_dot, n, tape);
    free(bar);
#else
    __enzyme_fwddiff((void *)transform, enzyme_dup, y, y_dot, enzyme_const, n);
#endif
    free(y);
}
#endif

#ifdef LANES
extern int enzyme_width;

void pull_lanes(const double *x, const double *const w[2], double *const x_bar[2], int n, int m)
{
    (void)m;
    double *y = malloc(sizeof *y * (n + 1)), *bar[2];
    memcpy(y, x, sizeof *y * n);
    for (int lane = 0; lane < 2; lane++) {
        bar[lane] = malloc(sizeof *y * (n + 1));
        memcpy(bar[lane], w[lane], sizeof *y * n);
    }
    __enzyme_autodiff((void *)transform, enzyme_width, 2, enzyme_dup, y, bar[0], bar[1], enzyme_const, n);
    for (int lane = 0; lane < 2; lane++) {
        for (int i = 0; i < n; i++)
            x_bar[lane][i] += bar[lane][i];
        free(bar[lane]);
    }
    free(y);
}

void push_lanes(const double *x, const double *const v[2], double *const y_dot[2], int n, int m)
{
    (void)m;
    double *y = malloc(sizeof *y * (n + 1));
    memcpy(y, x, sizeof *y * n);
    for (int lane = 0; lane < 2; lane++)
        memcpy(y_dot[lane], v[lane], sizeof *y * n);
    __enzyme_fwddiff((void *)transform, enzyme_width, 2, enzyme_dup, y, y_dot[0], y_dot[1], enzyme_const, n);
    free(y);
}
#endif
