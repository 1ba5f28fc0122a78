// check: main
/* Hessian times vector, forward over reverse, of a function whose gradient keeps a record that has to grow: the trip
   counts of inner loops vary. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 9 };

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static double objective(const double *x, int n, int rounds)
{
    double w[N], sum = 0;
    memcpy(w, x, n * sizeof *w);
    for (int t = 0; t < rounds; t++)
        for (int h = 0; h < n - 7; h++) {
            double a = 0;
            for (int k = 0; k < (h ? n : n - 1); k++)
                a += w[k] * x[k];
            w[(t + h) % n] = 0.1 * a;
            sum += a;
        }
    return sum;
}

static void gradient(const double *x, double *g, int n, int rounds)
{
    memset(g, 0, n * sizeof *g);
    __enzyme_autodiff((void *)objective, x, g, n, rounds);
}

static int wrong(int rounds)
{
    double x[N] = {0.7, 1.1, 1.6, 0.9, 1.3, 1.8, 0.8, 1.05, 1.2}, g[N], h[N] = {0}, up[N], down[N];
    const double v[N] = {1, -.5, .3, .2, -.7, .4, .6, -.2, .1};
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, h, enzyme_const, N, enzyme_const, rounds);
    for (int i = 0; i < N; i++)
        x[i] += 1e-4 * v[i];
    gradient(x, up, N, rounds);
    for (int i = 0; i < N; i++)
        x[i] -= 2e-4 * v[i];
    gradient(x, down, N, rounds);
    int found = 0;
    for (int i = 0; i < N; i++)
        if (fabs(h[i] - (up[i] - down[i]) / 2e-4) > 1e-5 * (1 + fabs(h[i])))
            found = printf("%d rounds: %g, expected %g\n", rounds, h[i], (up[i] - down[i]) / 2e-4);
    return found != 0;
}

int main(void) { return wrong(3) | wrong(16) | wrong(70) | wrong(300); }
