// Loops that cannot be checkpointed: memory of unknown size, effects that must not be repeated, pointers that steps choose.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
void __enzyme_checkpoint(long);
void __enzyme_checkpoint_memory(void *, long);
struct sim { double *u; double t; int n; };
static void unknown_size(double *u, int n, int steps)
{
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(0);
        for (int i = 1; i < n; i++) u[i] += 0.1 * u[i - 1] * u[i];
    }
}
static void behind_pointers(struct sim *m, int steps)
{
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(0);
        for (int i = 1; i < m->n; i++) m->u[i] += 0.1 * m->u[i - 1] * m->u[i];
        m->t += 0.1 * m->u[3];
    }
}
static double prints(double x, int steps)
{
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(0);
        x = sin(x) + 0.1 * x;
        if (s % 10 == 0) printf("%d\n", s);
    }
    return x;
}
static double draws(double x, int steps)
{
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(0);
        x = sin(x) + rand() * 1e-10 * x;
    }
    return x;
}
static double grows(double x, int steps)
{
    double *p = malloc(8), sum = 0;
    p[0] = x;
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(0);
        p = realloc(p, (s + 2) * 8);
        p[s + 1] = sin(p[s]);
    }
    sum = p[steps];
    free(p);
    return sum;
}
static double computed(double x, int steps)
{
    double y[100];
    for (int s = 0; s < steps; s++) {
        int bytes = 8 * (int)(x + s);
        __enzyme_checkpoint(s);
        __enzyme_checkpoint_memory(y, bytes);
        y[s % 100] = x;
        x = sin(x) * y[(s + 1) % 100];
    }
    return x;
}
static double pointers(double x, int steps)
{
    double y[3] = {x, x, 1}, z[3] = {1, x, x}, *p = y, *q = z;
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(0);
        q[0] = sin(p[1]); q[1] = p[2] * p[0]; q[2] = p[0] + 0.1;
        if (q[0] > q[1]) { double *t = p; p = q; q = t; }
    }
    return p[0];
}
static double fewer_than_none(double x, int steps)
{
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(-7);
        x = sin(x) + 0.1;
    }
    return x;
}
int main(void)
{
    double x[10] = {1}, b[10] = {0};
    struct sim m = {x, 0, 10}, mb = {b, 0, 10};
    __enzyme_autodiff((void *)unknown_size, enzyme_dup, x, b, enzyme_const, 10, enzyme_const, 5);
    __enzyme_autodiff((void *)behind_pointers, enzyme_dup, &m, &mb, enzyme_const, 5);
    __enzyme_autodiff((void *)prints, 1.0, enzyme_const, 5);
    __enzyme_autodiff((void *)draws, 1.0, enzyme_const, 5);
    __enzyme_autodiff((void *)grows, 1.0, enzyme_const, 5);
    __enzyme_autodiff((void *)computed, 1.0, enzyme_const, 5);
    __enzyme_autodiff((void *)pointers, 1.0, enzyme_const, 5);
    __enzyme_autodiff((void *)fewer_than_none, 1.0, enzyme_const, 5);
}
