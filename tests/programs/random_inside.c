// check: array n=5
// A random generator of the program's own (xorshift and Box-Muller) inside the objective.
#include <math.h>
#include <stdint.h>

static uint64_t state;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static double gauss(double mean, double deviation)
{
    double r = sqrt(-2.0 * log(1.0 - uniform()));
    return mean + deviation * r * cos(6.283185307179586 * uniform());
}

double objective(const double *x, int n)
{
    state = 88172645463325252u;
    double sum = 0.0;
    for (int i = 0; i < 40; i++) {
        double z = gauss(x[i % n], x[(i + 1) % n]);
        sum += z * z * (uniform() < 0.3 ? 0.5 : 1.0);
    }
    return sum;
}
