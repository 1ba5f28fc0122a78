// check: main
// Elements of arrays that the request hands over are copied, changed and put elsewhere; nothing here uses the integer
// member, which optimised code moves as one word with the padding behind it.
#include <math.h>
#include <stdio.h>

extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    double x, y, vx, vy;
    int type;
} Particle;

enum { N = 3, NUMBERS = 4 * N };

__attribute__((noinline)) static double step(const Particle *from, Particle *to, int n, double dt)
{
    double energy = 0;
    for (int i = 0; i < n; i++) {
        Particle p = from[i];
        p.vx -= dt * sin(p.x);
        p.vy -= dt * p.y * p.x;
        p.x += dt * p.vx;
        p.y += dt * p.vy;
        to[i] = p;
        energy += p.vx * p.vx + p.vy * p.vy;
    }
    return energy;
}

/* The weighted sum of what comes out, and the copied integers. */
static double value(const double *x)
{
    Particle from[N], to[N];
    double sum = 0;
    for (int i = 0; i < N; i++)
        from[i] = (Particle){x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3], 7 + i};
    sum = step(from, to, N, 0.2);
    for (int i = 0; i < N; i++)
        sum += (to[i].x - 0.5 * to[i].vy) * (i + to[i].type);
    return sum;
}

int main(void)
{
    double x[NUMBERS], v[NUMBERS], up[NUMBERS], down[NUMBERS];
    Particle from[N], to[N], from_bar[N] = {{0}}, to_bar[N] = {{0}}, from_dot[N] = {{0}}, to_dot[N] = {{0}};
    for (int i = 0; i < NUMBERS; i++) {
        x[i] = 0.3 + 0.17 * i;
        v[i] = cos(i);
        up[i] = x[i] + 1e-5 * v[i], down[i] = x[i] - 1e-5 * v[i];
    }
    for (int i = 0; i < N; i++) {
        from[i] = (Particle){x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3], 7 + i};
        from_dot[i] = (Particle){v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3], 0};
        to_bar[i].x = 7 + 2 * i, to_bar[i].vy = -0.5 * (7 + 2 * i);
    }
    __enzyme_autodiff((void *)step, enzyme_dup, from, from_bar, enzyme_dup, to, to_bar, enzyme_const, N, enzyme_const,
                      0.2);
    double forward =
        __enzyme_fwddiff((void *)step, enzyme_dup, from, from_dot, enzyme_dup, to, to_dot, enzyme_const, N,
                         enzyme_const, 0.2);
    double reverse = 0;
    for (int i = 0; i < N; i++) {
        forward += (to_dot[i].x - 0.5 * to_dot[i].vy) * (i + to[i].type);
        const Particle *b = &from_bar[i], *d = &from_dot[i];
        reverse += b->x * d->x + b->y * d->y + b->vx * d->vx + b->vy * d->vy;
    }
    double difference = (value(up) - value(down)) / 2e-5;
    if (fabs(forward - reverse) < 1e-11 && fabs(forward - difference) < 1e-6 && to[1].type == 8)
        return 0;
    printf("FAIL: reverse %.15g, forward %.15g, differences %.15g\n", reverse, forward, difference);
    return 1;
}
