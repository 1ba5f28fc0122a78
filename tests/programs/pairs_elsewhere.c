// check: array n=4
// Vectors of double are copied in a program that has a struct of two floats, too: adjoints of doubles are added.
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    float a, b;
} pair;

__attribute__((noinline)) static float product(const pair *p, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += p[i].a * p[i].b;
    return s;
}

__attribute__((noinline)) static double *copy_of(const double *x, int n)
{
    double *copy = malloc(n * sizeof *copy);
    memcpy(copy, x, n * sizeof *copy);
    return copy;
}

double objective(const double *x, int n)
{
    double *v = copy_of(x, n), *w = copy_of(v, n), s = 0;
    memcpy(v, x + 1, (n - 1) * sizeof *v);
    pair q[3] = {{(float)x[0], 0.5f}, {0.25f, 2}, {1, 3}};
    for (int i = 0; i < n; i++)
        s += sin(v[i]) * x[i] + x[(i + 1) % n] * w[i];
    s += 0.001 * x[0] * product(q + 1, n < 2 ? n : 2);
    free(v);
    free(w);
    return s;
}
