// check: main flags=-Itests/support
// Loops whose steps are checkpointed: with unknown counts, several exits, told memory, globals, inside other loops.
#include "expect.h"
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
void __enzyme_checkpoint(long);
void __enzyme_checkpoint_memory(void *, long);

/* adaptive step, unknown count, numbers in registers */
static double adaptive(const double *p, int slots)
{
    double x = p[0], v = p[1], t = 0, h = 0.01;
    int steps = 0;
    while (t < 3.0) {
        __enzyme_checkpoint(slots);
        double a = -p[2] * sin(x), e = fabs(a * h * h);
        if (e > 1e-3) { h *= 0.5; continue; }
        v += h * a; x += h * v; t += h; steps++;
        if (e < 1e-4) h *= 1.3;
    }
    return x * v + steps * 1e-3 * p[0];
}
/* several exits, one with a pointer */
static double exits(const double *p, int slots)
{
    double u[3] = {p[0], p[1], 0.1}, w[3] = {0}, *a = u, *b = w, last = 0;
    int why = 0;
    for (int k = 0; k < 200; k++) {
        __enzyme_checkpoint(slots);
        b[0] = a[0] + 0.1 * a[1] * p[2];
        b[1] = a[1] - 0.1 * sin(a[0]) - 0.02 * a[1] * fabs(a[1]);
        b[2] = a[2] * 1.01 + 0.001 * a[0];
        last = b[0] * a[2];
        if (b[2] > 0.3) { why = 1; break; }
        if (b[0] > 2.5) { why = 2; break; }
        double *t = a; a = b; b = t;
    }
    return why * a[0] + b[1] * a[2] + last;
}
/* memory of the caller, told */
static void steps_in(double *u, double *v, const double *p, int n, int steps, int slots)
{
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(slots);
        __enzyme_checkpoint_memory(u, n * sizeof *u);
        __enzyme_checkpoint_memory(v, n * sizeof *v);
        for (int i = 0; i < n; i++) v[i] += 0.05 * p[i % 3] * (u[(i + 1) % n] - 2 * u[i] + u[(i + n - 1) % n]) * (1 + u[i]);
        for (int i = 0; i < n; i++) u[i] += 0.05 * v[i];
    }
}
static double told(const double *p, int slots)
{
    double u[7], v[7], s = 0;
    for (int i = 0; i < 7; i++) { u[i] = sin(i + p[0]); v[i] = 0; }
    steps_in(u, v, p, 7, 40, slots);
    for (int i = 0; i < 7; i++) s += u[i] * u[i] * v[i];
    return s;
}
/* globals, and read-only memory that is overwritten behind the loop */
static double table[5], state[5];
static double globals(const double *p, int slots)
{
    double force[4];
    for (int i = 0; i < 5; i++) { table[i] = p[i % 3] * i; state[i] = 1 + 0.1 * i; }
    for (int i = 0; i < 4; i++) force[i] = p[i % 3] * p[i % 2];
    for (int s = 0; s < 33; s++) {
        __enzyme_checkpoint(slots);
        for (int i = 0; i < 5; i++) state[i] += 0.02 * sin(state[(i + 1) % 5] * table[i]) + 0.01 * force[(s + i) & 3];
    }
    double sum = 0;
    for (int i = 0; i < 5; i++) { table[i] = 0; sum += state[i] * state[i]; }
    for (int i = 0; i < 4; i++) { sum += force[i]; force[i] = 7; }
    for (int i = 0; i < 5; i++) state[i] = 0.5;
    return sum * force[1] * state[2];
}
/* in an outer loop, and with work memory of each step; a random generator of its own, and two in one another */
static double nested(const double *p, int slots)
{
    double x[4] = {p[0], p[1], p[2], 1}, total = 0;
    unsigned seed = 17;
    for (int outer = 0; outer < 4; outer++) {
        for (int s = 0; s < 11 + outer; s++) {
            __enzyme_checkpoint(slots);
            double work[4], *heap = malloc((s + 1) * sizeof *heap);
            seed = seed * 1664525u + 1013904223u;
            for (int i = 0; i < 4; i++) work[i] = x[(i + 1) & 3] * x[i] + 0.1 * p[(seed >> 20) % 3];
            for (int i = 0; i <= s; i++) heap[i] = work[i & 3] * work[(i + 1) & 3];
            for (int i = 0; i < 4; i++) x[i] += 0.01 * work[i] * heap[i % (s + 1)] - 0.05 * x[i];
            for (int r = 0; r < 3; r++) {
                __enzyme_checkpoint(1);
                x[r] += 0.01 * x[r + 1] * x[r];
            }
            free(heap);
        }
        total += x[outer] * x[0];
        x[0] *= 1.1;
    }
    return total + (seed & 7) * p[0];
}
typedef double (*problem)(const double *, int);
#define GRADIENT(f)                                                                                                     \
    static void f##_gradient(const double *p, double *p_bar, int slots)                                                 \
    {                                                                                                                   \
        __enzyme_autodiff((void *)f, enzyme_dup, p, p_bar, enzyme_const, slots);                                         \
    }
GRADIENT(adaptive)
GRADIENT(exits)
GRADIENT(told)
GRADIENT(globals)
GRADIENT(nested)

static void check(double (*f)(const double *, int), void (*gradient)(const double *, double *, int), const char *name)
{
    const int slots[] = {0, -1, 1, 2, 7, 1000};
    for (int c = 0; c < 6; c++) {
        double p[3] = {0.6, 0.8, 1.2}, p_bar[3] = {0};
        gradient(p, p_bar, slots[c]);
        for (int i = 0; i < 3; i++) {
            double h = 1e-7, here = p[i];
            p[i] = here + h;
            double above = f(p, 0);
            p[i] = here - h;
            double slope = (above - f(p, 0)) / (2 * h);
            p[i] = here;
            if (!(fabs(slope - p_bar[i]) < 3e-6 * (1 + fabs(slope)))) {
                printf("FAIL: %s with %d snapshots: %.10f by p%d, expected %.10f\n", name, slots[c], p_bar[i], i, slope);
                expect_failures++;
            }
        }
    }
}

int main(void)
{
    check(adaptive, adaptive_gradient, "adaptive");
    check(exits, exits_gradient, "exits");
    check(told, told_gradient, "told");
    check(globals, globals_gradient, "globals");
    check(nested, nested_gradient, "nested");
    return expect_failures != 0;
}
