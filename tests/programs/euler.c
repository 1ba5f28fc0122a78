// check: map n=4 m=2 range=0.4:0.9
// Explicit Euler for the pendulum; the state is a struct behind a pointer.
#include <math.h>

typedef struct {
    double angle, rate;
} state;

static void step(state *s, double h, double gravity, double friction)
{
    double acceleration = -gravity * sin(s->angle) - friction * s->rate;
    s->angle += h * s->rate;
    s->rate += h * acceleration;
}

void transform(const double *x, double *y, int n, int m)
{
    state s = {x[0], x[1]};
    for (int i = 0; i < 200; i++)
        step(&s, 0.01, x[2], x[3]);
    y[0] = s.angle;
    y[1] = s.rate;
}
