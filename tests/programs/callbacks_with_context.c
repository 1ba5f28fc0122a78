// check: array n=6
// C callbacks: a function and the data it is to be called with.
#include <math.h>
#include <stdlib.h>

typedef double (*integrand)(double, void *);

static double __attribute__((noinline)) integrate(integrand f, void *context, double from, double to, int steps)
{
    double h = (to - from) / steps, sum = 0.5 * (f(from, context) + f(to, context));
    for (int i = 1; i < steps; i++)
        sum += f(from + i * h, context);
    return sum * h;
}

struct polynomial {
    int degree;
    const double *coefficients;
};

static double polynomial(double t, void *context)
{
    const struct polynomial *p = context;
    double value = 0.0;
    for (int i = p->degree; i >= 0; i--)
        value = value * t + p->coefficients[i];
    return value;
}

struct wave {
    double amplitude, frequency;
    int calls;
};

static double wave(double t, void *context)
{
    struct wave *w = context;
    w->calls++;
    return w->amplitude * sin(w->frequency * t);
}

struct inner {
    integrand f;
    void *context;
    double width;
};

static double twice(double t, void *context)
{
    struct inner *i = context;
    return integrate(i->f, i->context, t, t + i->width, 3);
}

double objective(const double *x, int n)
{
    struct polynomial p = {n - 1, x};
    struct wave *w = malloc(sizeof *w);
    w->amplitude = x[1], w->frequency = x[2], w->calls = 0;
    struct inner both = {n % 2 ? polynomial : wave, n % 2 ? (void *)&p : w, x[3]};
    double sum = integrate(polynomial, &p, 0.0, x[0], 10) + integrate(wave, w, 0.0, x[4], 10)
        + integrate(twice, &both, 0.0, x[5], 4);
    sum *= w->calls;
    free(w);
    return sum;
}
