// check: main
// A struct that the request hands over is saved and restored: an array whose index nothing bounds stands before members
// of other types, which the copy itself tells apart.
#include <math.h>
#include <stdio.h>

extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    double t, y[4];
    int steps;
    double *work;
    float tol;
} State;

__attribute__((noinline)) static double advance(State *s, int n, double h)
{
    State old = *s;
    for (int k = 0; k < n; k++)
        s->y[k] = old.y[k] + h * cos(old.y[(k + 1) % n]) * old.work[0];
    s->t += h * s->y[0];
    const double reached = s->t * s->y[n - 1];
    old.y[1] *= s->y[2];
    *s = old;
    return reached;
}

enum { N = 6 };

static State made(const double *x, double *work)
{
    *work = x[5];
    return (State){x[0], {x[1], x[2], x[3], x[4]}, 3, work, 0.5f};
}

static double value(const double *x)
{
    double work;
    State s = made(x, &work);
    return advance(&s, 4, 0.1) + s.y[1] + 0.3 * s.t;
}

int main(void)
{
    double x[N], v[N], up[N], down[N], work, again, bar[N];
    for (int i = 0; i < N; i++) {
        x[i] = 0.4 + 0.21 * i;
        v[i] = sin(1 + i);
        up[i] = x[i] + 1e-5 * v[i], down[i] = x[i] - 1e-5 * v[i];
    }
    double work_bar = 0, work_dot = v[5];
    State s = made(x, &work), s_bar = {.t = 0.3, .y = {0, 1}, .work = &work_bar};
    __enzyme_autodiff((void *)advance, enzyme_dup, &s, &s_bar, enzyme_const, 4, enzyme_const, 0.1);
    bar[0] = s_bar.t, bar[5] = work_bar;
    for (int i = 0; i < 4; i++)
        bar[1 + i] = s_bar.y[i];

    State r = made(x, &again), r_dot = {v[0], {v[1], v[2], v[3], v[4]}, 0, &work_dot, 0};
    double forward = __enzyme_fwddiff((void *)advance, enzyme_dup, &r, &r_dot, enzyme_const, 4, enzyme_const, 0.1);
    forward += r_dot.y[1] + 0.3 * r_dot.t;
    double reverse = 0, difference = (value(up) - value(down)) / 2e-5;
    for (int i = 0; i < N; i++)
        reverse += bar[i] * v[i];
    if (fabs(forward - reverse) < 1e-12 && fabs(forward - difference) < 1e-7 && s.tol == 0.5f && s.steps == 3)
        return 0;
    printf("FAIL: reverse %.15g, forward %.15g, differences %.15g\n", reverse, forward, difference);
    return 1;
}
