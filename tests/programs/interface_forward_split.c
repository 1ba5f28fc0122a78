// check: main flags=-Itests/support
// Tangents from the tape of a primal that ran before: loops, branches, calls, recursion, memory of its own.
#include "expect.h"

#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_nofree;

__attribute__((noinline)) static double wave(const double *x, int i)
{
    double e = exp(-x[i] * x[i]);
    return x[i] < 0.0 ? -e : e * sin(x[i]);
}

static double tree(const double *x, int n)
{
    return n < 2 ? x[0] * x[0] : tree(x, n / 2) * tree(x + n / 2, n - n / 2) + x[n - 1];
}

static double f(double *x, int n, double a)
{
    double sum = 0.0, *copy = malloc(sizeof *copy * n);
    memcpy(copy, x, sizeof *copy * n);
    for (int i = 0; i < n; i++) {
        double w = a;
        for (int j = 0; j <= i % 3; j++)
            w = w * copy[j] + cos(w);
        for (int k = 0; w > 1.0 && k < 20; k++)
            w *= 0.5 + 0.25 * fabs(sin(copy[k % n]));
        x[i] = w * copy[i];
        int power;
        sum += x[i] + wave(x, i) * frexp(1.0 + x[i] * x[i], &power);
    }
    sum += tree(copy, n) / a;
    free(copy);
    return sum;
}

extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern double __enzyme_autodiff(void *, ...);
typedef struct {
    double lane[2];
} two;
extern two __enzyme_fwdsplit_two(void *, ...);
extern void *__enzyme_augmentfwd_two(void *, ...);

enum { N = 7 };

int main(void)
{
    const double start[N] = {0.3, -0.7, 1.2, 0.9, -1.4, 0.5, 2.0}, v[N] = {1.0, 0.5, -0.25, 2.0, 0.0, 1.0, -1.0};
    double x[N], t[N], u[N], want;
    memcpy(x, start, sizeof x);
    memcpy(t, v, sizeof t);
    want = __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, N, enzyme_dup, 0.8, 0.3);

    memcpy(x, start, sizeof x);
    double bar[N] = {0.0};
    void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, bar, enzyme_const, N, enzyme_out, 0.8);
    memset(x, 0x7f, sizeof x);
    for (int run = 0; run < 2; run++) {
        memcpy(u, v, sizeof u);
        EXPECT(__enzyme_fwdsplit((void *)f, enzyme_nofree, enzyme_dup, x, u, N, 0.8, 0.3, tape), want);
        for (int i = 0; i < N; i++)
            EXPECT(u[i], t[i]);
    }
    /* and the adjoints from the same tape */
    double a_bar = __enzyme_reverse((void *)f, enzyme_dup, x, bar, N, 0.8, 1.0, tape);
    double product = a_bar * 0.3;
    for (int i = 0; i < N; i++)
        product += bar[i] * v[i];
    EXPECT(product, want);

    memcpy(x, start, sizeof x);
    tape = __enzyme_augmentfwd_two((void *)f, enzyme_width, 2, enzyme_dup, x, bar, bar, N, enzyme_const, 0.8);
    double first[N] = {0.0}, second[N];
    first[2] = 1.0;
    memcpy(second, v, sizeof second);
    two both = __enzyme_fwdsplit_two((void *)f, enzyme_width, 2, enzyme_dup, x, first, second, N, enzyme_const, 0.8, tape);
    double alone[N] = {0.0};
    alone[2] = 1.0;
    memcpy(x, start, sizeof x);
    EXPECT(both.lane[0], __enzyme_fwddiff((void *)f, enzyme_dup, x, alone, enzyme_const, N, enzyme_const, 0.8));
    memcpy(alone, v, sizeof alone);
    memcpy(x, start, sizeof x);
    EXPECT(both.lane[1], __enzyme_fwddiff((void *)f, enzyme_dup, x, alone, enzyme_const, N, enzyme_const, 0.8));
    for (int i = 0; i < N; i++)
        EXPECT(second[i], alone[i]);
    return expect_failures != 0;
}
