// check: array n=6
// Active numbers in thread-local variables, of which each thread has its own shadow.
#include <cmath>
#include <vector>

static thread_local double state = 1.0;
static thread_local double buffer[8];
static thread_local std::vector<double> history;

static double __attribute__((noinline)) step(double v)
{
    state = state * v + buffer[0];
    history.push_back(std::sin(state));
    return state;
}

extern "C" double objective(const double *x, int n)
{
    state = 1.0;
    std::vector<double>().swap(history);
    for (int i = 0; i < n; i++) {
        buffer[0] = x[i];
        step(x[i]);
    }
    double sum = state * state;
    for (double h : history)
        sum += h;
    return sum;
}
