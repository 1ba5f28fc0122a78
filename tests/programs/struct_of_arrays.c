// check: array n=9
// Particles as a struct of heap arrays.
#include <math.h>
#include <stdlib.h>

struct particles {
    int count;
    double *x, *y, *charge;
};

static double energy(const struct particles *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < i; j++) {
            double dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j];
            sum += p->charge[i] * p->charge[j] / sqrt(dx * dx + dy * dy + 0.1);
        }
    return sum;
}

double objective(const double *x, int n)
{
    struct particles p = {.count = n / 3};
    p.x = malloc(sizeof(double) * p.count);
    p.y = malloc(sizeof(double) * p.count);
    p.charge = malloc(sizeof(double) * p.count);
    for (int i = 0; i < p.count; i++) {
        p.x[i] = x[3 * i];
        p.y[i] = x[3 * i + 1] * x[3 * i];
        p.charge[i] = x[3 * i + 2];
    }
    double sum = energy(&p);
    free(p.x);
    free(p.y);
    free(p.charge);
    return sum;
}
