// check: array n=6
// Active numbers in thread-local variables, of which each thread has its own shadow.
#include <cmath>

static thread_local double state = 1.0;
static thread_local double buffer[8];

static double __attribute__((noinline)) step(double v)
{
    state = state * v + buffer[0];
    buffer[1] += std::sin(state);
    return state;
}

extern "C" double objective(const double *x, int n)
{
    state = 1.0;
    buffer[1] = 0.0;
    for (int i = 0; i < n; i++) {
        buffer[0] = x[i];
        step(x[i]);
    }
    return state * state + buffer[1];
}
