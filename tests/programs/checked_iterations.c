// check: array n=7,1,0,12 range=0.3:1.7
// Loops over independent items with checks that end the program: in the body, in inner loops, with what they tell.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { K = 4 };

__attribute__((noreturn, noinline)) static void fail(int line, double value)
{
    fprintf(stderr, "line %d: %g\n", line, value);
    abort();
}

#define CHECK(condition, value) ((condition) ? (void)0 : fail(__LINE__, value))

static double checked(const double *x, int n)
{
    double fit = 0.0;
    for (int p = 0; p < n; p++) {
        double bins[K];
        for (int i = 0; i < K; i++) {
            CHECK(x[p] > -100.0, x[p]);
            bins[i] = x[p] * (i + 1);
        }
        for (int j = 0; j < n; j++) {
            int at = (p + j) % K;
            bins[at] *= 1.0 + 0.01 * x[j];
            CHECK(bins[at] < 1e6, bins[at]);
        }
        double product = 1.0;
        for (int i = 0; i < K; i++)
            product *= 0.5 + bins[i] * bins[i] * 0.1;
        CHECK(isfinite(product), product);
        fit += sqrt(product);
    }
    return fit;
}

// Both loops have the same end; one of them tells the sum so far.
static double told(const double *x, int n, double most)
{
    double a = 0.0, b = 1.0;
    for (int p = 0; p < n; p++) {
        double w = x[p];
        for (int j = 0; j < n; j++)
            w = sin(w + x[j]);
        if (a > most)
            fail(1, a);
        a += w * w;
    }
    for (int p = 0; p < n; p++) {
        double w = x[p];
        for (int j = 0; j < n; j++)
            w = w * x[j] / (1.0 + w * w);
        if (w > most)
            fail(2, w);
        b -= 0.1 * w * w;
    }
    return a * b;
}

double objective(const double *x, int n)
{
    return checked(x, n) + told(x, n, 1e6 + n);
}
