// check: array n=12 range=-0.9:0.9
// A gated recurrent cell over a sequence, the hidden state kept in a struct that is copied each step.
#include <math.h>

typedef struct { double h[2]; } State;

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static State step(State s, const double *w, double input)
{
    State next;
    for (int i = 0; i < 2; i++) {
        double z = sigmoid(w[i] * input + w[2 + i] * s.h[i]);
        double r = sigmoid(w[4 + i] * input + w[6 + i] * s.h[1 - i]);
        double candidate = tanh(w[8 + i] * input + w[10 + i] * r * s.h[i]);
        next.h[i] = (1.0 - z) * s.h[i] + z * candidate;
    }
    return next;
}

double objective(const double *x, int n)
{
    State s = {{0.1, -0.2}};
    double loss = 0.0;
    for (int t = 0; t < 9; t++) {
        s = step(s, x, sin(0.7 * t));
        double error = s.h[0] * s.h[1] - 0.1 * t;
        loss += error * error;
    }
    return loss / n;
}
