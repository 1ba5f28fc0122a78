// check: array n=9 range=0.1:0.9
// Forward algorithm of a hidden Markov model in logarithms, with a table per time step.
#include <math.h>
#include <stdlib.h>

static double log_add(double a, double b)
{
    return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b));
}

double objective(const double *x, int n)
{
    enum { STATES = 3, TIMES = 7 };
    static const int seen[TIMES] = {0, 2, 1, 1, 0, 2, 2};
    double **alpha = malloc(TIMES * sizeof *alpha);
    for (int t = 0; t < TIMES; t++) {
        alpha[t] = malloc(STATES * sizeof **alpha);
        for (int j = 0; j < STATES; j++) {
            double emission = log(x[(seen[t] * STATES + j) % n]);
            if (t == 0) {
                alpha[t][j] = emission;
                continue;
            }
            double sum = -INFINITY;
            for (int i = 0; i < STATES; i++) {
                double term = alpha[t - 1][i] + log(x[(i + j) % n] + 0.1 * (i == j));
                sum = i ? log_add(sum, term) : term;
            }
            alpha[t][j] = sum + emission;
        }
    }
    double total = log_add(log_add(alpha[TIMES - 1][0], alpha[TIMES - 1][1]), alpha[TIMES - 1][2]);
    for (int t = 0; t < TIMES; t++)
        free(alpha[t]);
    free(alpha);
    return total;
}
