// check: array n=9
// States are functions that return the next state.
#include <math.h>

struct machine {
    double value;
    int steps;
    void *(*state)(struct machine *, double);
};

static void *rising(struct machine *m, double input);
static void *falling(struct machine *m, double input);

static void *resting(struct machine *m, double input)
{
    m->value *= 1.0 + 0.01 * input;
    return input > 1.0 ? rising : falling;
}

static void *rising(struct machine *m, double input)
{
    m->value += sin(input) * m->value;
    return m->steps % 3 ? (void *)rising : (void *)resting;
}

static void *falling(struct machine *m, double input)
{
    m->value -= 0.1 * input * input;
    return resting;
}

double objective(const double *x, int n)
{
    struct machine m = {x[0], 0, resting};
    for (int i = 0; i < n; i++) {
        m.steps++;
        m.state = (void *(*)(struct machine *, double))m.state(&m, x[i]);
    }
    return m.value;
}
