// check: array n=24
// Arrays that several loops of a step read before they are overwritten: one copy serves all of them, if nothing comes
// between.
#include <math.h>
#include <stdlib.h>

static double rounds(const double *x, int n, int steps, int disturbed)
{
    double *v = malloc(sizeof *v * n), *w = malloc(sizeof *w * n), sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = x[i];
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            double total = 0;
            for (int j = 0; j < n; j++)
                total += v[j] * v[(i + j) % n] / (1 + j);
            w[i] = total;
        }
        if (disturbed == 1 && s == 2)
            v[s] *= 1.5;
        double square = 0, along = 0;
        for (int i = 0; i < n; i++) {
            square += w[i] * w[i];
            along += v[i] * w[i];
        }
        if (disturbed == 2)
            for (int i = 0; i < n; i += 3)
                v[i] = v[i] * v[i] * 0.5;
        for (int i = 0; i < n; i++)
            sum += sin(v[i]) * w[n - 1 - i] * 0.1;
        const double norm = sqrt(square);
        for (int i = 0; i < n; i++)
            v[i] = w[i] / norm + 0.1 * v[i];
        sum += along;
    }
    free(v);
    free(w);
    return sum;
}

/* A new array in each step, and a loop that is not always there. */
static double fresh(const double *x, int n, int steps)
{
    double sum = 0;
    for (int s = 0; s < steps; s++) {
        double *v = malloc(sizeof *v * n);
        for (int i = 0; i < n; i++)
            v[i] = x[(i + s) % n] * x[i];
        if (s % 2)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    sum += v[j] * v[i] * 0.01;
        for (int i = 0; i < n; i++)
            sum += cos(v[i]) * v[n - 1 - i];
        for (int i = 0; i < n; i++)
            v[i] = sum * 0.01;
        sum += v[s % n] * v[0];
        free(v);
    }
    return sum;
}

double objective(const double *x, int n)
{
    return rounds(x, n, 5, 0) + rounds(x, n, 4, 1) + rounds(x, 7, 4, 2) + fresh(x, n, 4);
}
