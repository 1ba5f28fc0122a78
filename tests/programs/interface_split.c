// check: main flags=-Itests/support
// The two passes of reverse mode in the caller's hands: tape from the heap, in own storage, used twice.
#include "expect.h"

#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_tape, enzyme_allocated, enzyme_nofree;

static double f(double *x, int n, double a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        x[i] = a * x[i] * x[i];
        sum += sin(x[i]);
    }
    return sum;
}

typedef struct {
    void *tape;
    double result;
} augmented;
extern void *__enzyme_augmentfwd(void *, ...);
extern augmented __enzyme_augmentfwd_with_result(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern void __enzyme_reverse_nothing(void *, ...);
extern size_t __enzyme_augmentsize(void *, ...);

static double expected(const double *x, int n, double *bar, double a, double seed)
{
    double a_bar = 0.0;
    for (int i = 0; i < n; i++) {
        bar[i] = seed * cos(a * x[i] * x[i]) * 2.0 * a * x[i];
        a_bar += seed * cos(a * x[i] * x[i]) * x[i] * x[i];
    }
    return a_bar;
}

/* Recursion, memory of its own and a count that only the run knows. */
static void smooth(const double *x, double *y, int n)
{
    if (n < 2) {
        y[0] = x[0];
        return;
    }
    double *half = calloc(n, sizeof *half);
    for (int i = 0; i < n / 2; i++)
        half[i] = x[2 * i] * x[2 * i + 1];
    smooth(half, y, n / 2);
    double local[2] = {half[0], 1.0};
    for (int i = 0; y[0] * local[1] < 100.0; i++)
        local[1] += local[0] * local[0] + 1.0;
    y[0] += local[1];
    free(half);
}

static double *pick(double *x, int i)
{
    x[i] *= 2.0;
    return x + i;
}

typedef struct {
    void *tape;
    double *result, *shadow;
} picked;
extern picked __enzyme_augmentfwd_picked(void *, ...);

int main(void)
{
    double x[3] = {0.5, 1.0, 1.5}, start[3], bar[3] = {0.0}, want[3];
    memcpy(start, x, sizeof x);
    void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, bar, enzyme_const, 3, enzyme_out, 2.0);
    EXPECT(x[1], 2.0);
    memset(x, 0x7f, sizeof x); /* the caller may do with it what he likes */
    double a_bar = __enzyme_reverse((void *)f, enzyme_dup, x, bar, enzyme_const, 3, enzyme_out, 2.0, 1.5, tape);
    EXPECT(a_bar, expected(start, 3, want, 2.0, 1.5));
    for (int i = 0; i < 3; i++)
        EXPECT(bar[i], want[i]);

    memcpy(x, start, sizeof x);
    memset(bar, 0, sizeof bar);
    augmented both = __enzyme_augmentfwd_with_result((void *)f, enzyme_dup, x, bar, enzyme_const, 3, enzyme_out, 2.0);
    EXPECT(both.result, sin(0.5) + sin(2.0) + sin(4.5));
    for (int run = 1; run <= 3; run++) {
        memset(bar, 0, sizeof bar);
        if (run < 3)
            a_bar = __enzyme_reverse((void *)f, enzyme_nofree, enzyme_dup, x, bar, 3, 2.0, 1.0 * run, both.tape);
        else
            a_bar = __enzyme_reverse((void *)f, enzyme_dup, x, bar, 3, 2.0, 1.0 * run, both.tape);
        EXPECT(a_bar, expected(start, 3, want, 2.0, run));
        EXPECT(bar[2], want[2]);
    }

    const size_t size = __enzyme_augmentsize((void *)f, enzyme_dup, enzyme_const, enzyme_out);
    char storage[__builtin_constant_p(size) ? 512 : 512] __attribute__((aligned(16)));
    EXPECT(size <= sizeof storage && size >= 40, 1);
    memcpy(x, start, sizeof x);
    memset(bar, 0, sizeof bar);
    __enzyme_augmentfwd((void *)f, enzyme_allocated, size, enzyme_tape, storage, enzyme_dup, x, bar, 3, enzyme_out, 2.0);
    a_bar = __enzyme_reverse((void *)f, enzyme_allocated, size, enzyme_tape, storage, enzyme_dup, x, bar, 3, enzyme_out,
                             2.0, 1.0);
    EXPECT(a_bar, expected(start, 3, want, 2.0, 1.0));
    EXPECT(bar[0], want[0]);

    double p[4] = {1.0, 2.0, 3.0, 4.0}, y[1] = {0.0}, p_bar[4] = {0.0}, first[4], y_bar[1] = {1.0};
    tape = __enzyme_augmentfwd((void *)smooth, enzyme_dup, p, p_bar, enzyme_dup, y, y_bar, 4);
    __enzyme_reverse_nothing((void *)smooth, enzyme_nofree, enzyme_dup, p, p_bar, enzyme_dup, y, y_bar, 4, tape);
    EXPECT(y_bar[0], 0.0);
    memcpy(first, p_bar, sizeof first);
    EXPECT(first[0] != 0.0, 1);
    memset(p_bar, 0, sizeof p_bar);
    y_bar[0] = 2.0;
    __enzyme_reverse_nothing((void *)smooth, enzyme_dup, p, p_bar, enzyme_dup, y, y_bar, 4, tape);
    for (int i = 0; i < 4; i++)
        EXPECT(p_bar[i], 2.0 * first[i]);
    double all[4] = {0.0}, one[1] = {1.0};
    extern void __enzyme_autodiff(void *, ...);
    __enzyme_autodiff((void *)smooth, enzyme_dup, p, all, enzyme_dup, y, one, 4);
    for (int i = 0; i < 4; i++)
        EXPECT(all[i], first[i]);

    double q[2] = {1.0, 2.0}, q_bar[2] = {0.0};
    picked r = __enzyme_augmentfwd_picked((void *)pick, enzyme_dup, q, q_bar, enzyme_const, 1);
    EXPECT(r.result == q + 1, 1);
    EXPECT(r.shadow == q_bar + 1, 1);
    *r.shadow = 5.0;
    __enzyme_reverse_nothing((void *)pick, enzyme_dup, q, q_bar, enzyme_const, 1, r.tape);
    EXPECT(q_bar[1], 10.0);
    return expect_failures != 0;
}
