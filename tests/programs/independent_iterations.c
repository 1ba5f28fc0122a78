// check: array n=7,1,0,12 range=0.3:1.7
// Loops over independent items with work arrays of all kinds: each iteration writes what it reads of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K = 3 };

// Work arrays from before the loop, filled by inner loops of computed lengths.
static double filled(const double *x, int n, int k)
{
    double *centred = malloc(sizeof(double) * k), *scaled = malloc(sizeof(double) * k), *term = malloc(sizeof(double) * n);
    double fit = 0.0;
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < n; c++) {
            for (int i = 0; i < k; i++)
                centred[i] = x[p] - x[(c + i) % n] * 0.5;
            for (int i = 0; i < k; i++)
                scaled[i] = (i + 1) * centred[i];
            for (int i = 0; i < k; i++)
                for (int j = i + 1; j < k; j++)
                    scaled[j] += 0.1 * centred[i] * x[c];
            double sum = 0.0;
            for (int i = 0; i < k; i++)
                sum += scaled[i] * scaled[i];
            term[c] = -0.1 * sum;
        }
        double top = term[0], sum = 0.0;
        for (int c = 1; c < n; c++)
            if (term[c] > top)
                top = term[c];
        for (int c = 0; c < n; c++)
            sum += exp(term[c] - top);
        fit += top + log(sum);
    }
    free(centred);
    free(scaled);
    free(term);
    return fit;
}

// An array of the block, zeroed by memset, and several sums at once, one of them conditional.
static double on_the_stack(const double *x, int n)
{
    double even = 0.0, all = 1.0;
    for (int p = 0; p < n; p++) {
        double bins[K];
        memset(bins, 0, sizeof bins);
        for (int i = 0; i < n; i++)
            bins[(p + i) % K] += x[i] * x[p];
        double product = 1.0;
        for (int i = 0; i < K; i++)
            product *= 0.5 + bins[i] * bins[i] * 0.01;
        if (p % 2 == 0)
            even += product;
        all -= 0.1 * product;
    }
    return even * all;
}

// Memory of each iteration, and a number that goes from one to the next and matters.
static double state(const double *x, int n)
{
    double y = 0.5;
    for (int p = 0; p < n; p++) {
        double *work = malloc(sizeof(double) * (n + 1));
        work[0] = y;
        for (int i = 0; i < n; i++)
            work[i + 1] = work[i] * 0.5 + sin(work[i]) * x[i];
        y = work[n] / (1.0 + work[n] * work[n]) + x[p];
        free(work);
    }
    return y;
}

// A loop whose end the numbers decide.
static double until(const double *x, int n)
{
    double y = 1.0, t = 0.0;
    int rounds = 0;
    while (t < 2.0 && rounds < 50) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += (y + x[i]) * (y - 0.3 * x[i]) * sum * 0.01 + 0.1 * y * x[i];
        y += 0.05 * sum;
        t += 0.11;
        rounds++;
    }
    return y;
}

double objective(const double *x, int n)
{
    double value = until(x, n) + state(x, n) + on_the_stack(x, n);
    return n > 0 ? value + filled(x, n, K) : value;
}
