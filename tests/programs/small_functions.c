// check: array n=8
// A string of small static functions, one per layer of a network.
#include <math.h>

static double sigmoid(double v) { return 1.0 / (1.0 + exp(-v)); }
static double softplus(double v) { return log1p(exp(v)); }
static double relu(double v) { return v > 0.0 ? v : 0.0; }
static double blend(double a, double b, double t) { return a + t * (b - a); }
static double neuron(const double *w, const double *in) { return w[0] * in[0] + w[1] * in[1]; }

double objective(const double *x, int n)
{
    double in[2] = {0.5, -0.25};
    for (int layer = 0; layer < 3; layer++) {
        double first = sigmoid(neuron(x, in)), second = softplus(neuron(x + 2, in));
        in[0] = blend(first, second, x[4]);
        in[1] = relu(first - x[5] * second) + blend(x[6], x[7], first);
    }
    return in[0] * in[1];
}
