// check: main flags=-Itests/support
// The slope of a sine that a loop in front of it has computed as the cosine of the same number: in split mode, tangents
// from the tape are computed when the loop is over, whose arrays have no element for what comes behind.
#include "expect.h"
#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);

__attribute__((noinline)) static double rounds(const double *x, double *seen)
{
    const double b = x[0] * x[1];
    int i = 0;
    do
        seen[i] = cos(b) + i;
    while (++i < 5 && seen[i - 1] < x[2]);
    return sin(b) * x[2] + exp(b);
}

__attribute__((noinline)) static double nested(const double *x, double *seen)
{
    const double b = x[0] * x[1];
    double sum = 0;
    for (int t = 0; t < 3; t++) {
        int i = 0;
        do
            seen[i] = exp(b + t) + i;
        while (++i < 4 && seen[i - 1] < 10 * x[2]);
        sum += exp(b + t) * x[t];
    }
    return sum;
}

#define CHECK(F)                                                                                                       \
    {                                                                                                                  \
        const double x[3] = {0.7, 0.4, 1.9}, dot[3] = {1, 0.5, -0.25};                                                 \
        double bar[3] = {0}, none[3] = {0}, seen[8], unused[8] = {0};                                                  \
        const double forward = __enzyme_fwddiff((void *)F, enzyme_dup, x, dot, enzyme_dup, seen, unused);              \
        memset(unused, 0, sizeof unused);                                                                              \
        void *tape = __enzyme_augmentfwd((void *)F, enzyme_dup, x, none, enzyme_dup, seen, unused);                    \
        const double split = __enzyme_fwdsplit((void *)F, enzyme_dup, x, dot, enzyme_dup, seen, unused, tape);         \
        memset(unused, 0, sizeof unused);                                                                              \
        __enzyme_autodiff((void *)F, enzyme_dup, x, bar, enzyme_dup, seen, unused);                                    \
        EXPECT(fabs(split - forward) < 1e-12, 1);                                                                      \
        EXPECT(fabs(bar[0] * dot[0] + bar[1] * dot[1] + bar[2] * dot[2] - forward) < 1e-12, 1);                        \
    }

int main(void)
{
    CHECK(rounds)
    CHECK(nested)
    return expect_failures != 0;
}
