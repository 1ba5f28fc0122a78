// check: main flags=-Itests/support
// The same as attributes, on declarations and definitions.
#include "expect.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_nofree; // also the name of an option

static double augmented(double x);
static double reverse(double x, double seed);
static double tangent(double x, double x_dot);
static double __attribute__((enzyme("augment", augmented), enzyme("gradient", reverse))) square(double x);
__attribute__((enzyme("derivative", tangent))) static double square(double x)
{
    return x * x;
}
static double augmented(double x)
{
    return x * x;
}
static double reverse(double x, double seed)
{
    return 100 * x * seed;
}
static double tangent(double x, double x_dot)
{
    return 10 * x * x_dot;
}

// Without an augmented function the function itself runs, and leaves no tape.
__attribute__((enzyme("gradient", reverse))) static double cube(double x)
{
    return x * x * x;
}

static double stopped(double x) __attribute__((enzyme_inactive));
static double stopped(double x)
{
    return x;
}
__attribute((enzyme_inactive)) static double also_stopped(double x)
{
    return x;
}

__attribute__((enzyme_function_like("log1p"), enzyme_shouldrecompute)) static double like(double x)
{
    return (double)(float)log1p(x);
}
__attribute__((enzyme_nofree)) __attribute__((noinline)) static double plain(double x)
{
    return x * x;
}

__attribute__((enzyme_inactive)) static double memo;
static double through_memo(double x)
{
    memo = x;
    __asm__ volatile("" ::: "memory");
    return memo * x;
}

struct particle {
    double position;
    double charge __attribute__((enzyme_inactive));
};
static double energy(const struct particle *p)
{
    return p->position * p->charge;
}

__attribute__((enzyme_sparse_accumulate)) static double f(double x)
{
    return 2 * square(x) + cube(x) + stopped(x) * x + also_stopped(x) + plain(x);
}
static double g(double x)
{
    return like(x) * x;
}

int main(void)
{
    EXPECT(__enzyme_autodiff((void *)f, 2.0), 400 + 200 + 2 + 4);
    EXPECT(__enzyme_fwddiff((void *)f, 2.0, 1.0), 40 + 12 + 2 + 4);
    EXPECT(__enzyme_autodiff((void *)g, 2.0), (double)(float)log1p(2.0) + 2.0 / 3);
    EXPECT(__enzyme_autodiff((void *)through_memo, 2.0), 2);
    EXPECT(__enzyme_fwddiff((void *)through_memo, 2.0, 1.0), 2);
    struct particle p = {2, 3}, p_bar = {0, 0};
    __enzyme_autodiff((void *)energy, &p, &p_bar);
    EXPECT(p_bar.position, 3);
    EXPECT(p_bar.charge, 0);
    return expect_failures != 0;
}
