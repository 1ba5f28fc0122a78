// check: array n=6
// A function kept out of line called in a loop, changing what the next call reads.
#include <math.h>

__attribute__((noinline)) static double relax(double *state, double pull, int which)
{
    double old = state[which];
    state[which] = 0.5 * (old + sin(pull * old));
    return old * state[which];
}

double objective(const double *x, int n)
{
    double state[3] = {x[0], x[1], x[2]}, sum = 0.0;
    for (int i = 0; i < 20; i++)
        sum += relax(state, x[3 + i % (n - 3)], (i * 2) % 3);
    return sum + state[0] * state[1] * state[2];
}
