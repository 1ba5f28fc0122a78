// check: main flags=-Itests/support
// What users tell the pass by global variables: functions and variables without derivative, shadows of variables,
// functions like known ones, types of memory.
#include "expect.h"

#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_double(void *, unsigned long);
void __enzyme_integer(void *, unsigned long);
extern int enzyme_dup;

// Runs once, in the forward sweep only, and has no derivative, even where it returns its argument.
static int runs;
static double counted(double x)
{
    runs++;
    return 2 * x;
}
static double stopped(double x)
{
    return x;
}
static void filled(double *to, double with)
{
    *to = with;
}
void *__enzyme_inactivefn[] = {(void *)counted, (void *)stopped, (void *)filled};

static double with_functions(double x)
{
    double y;
    filled(&y, x);
    return x * x + 3 * counted(x) + x * stopped(x) + y;
}

// Stored and read again, but not as active numbers.
static double memo, table[3];
void *__enzyme_inactive_global_memo = &memo;
void *__enzyme_inactive_global_table[] = {table};

static void keep(const double *x)
{
    memo = x[0];
    for (int i = 0; i < 3; i++)
        table[i] = x[i];
    __asm__ volatile("" ::: "memory");
}
static double with_variables(const double *x)
{
    keep(x);
    __asm__ volatile("" ::: "memory");
    return memo * x[1] + table[2] * x[0];
}

// The user's own shadows.
double scale = 5, scale_bar;
static double weights[2] = {2, 3}, weights_bar[2];
void *__enzyme_shadow_scale[] = {&scale, &scale_bar};
void *__enzyme_shadow_weights[] = {weights, weights_bar};

static double with_shadows(double x)
{
    return scale * scale * (weights[0] * x + weights[1] * x * x);
}

// Like known functions, whatever their bodies do.
static double slow_log(double x)
{
    volatile double y = log1p(x);
    long bits;
    double z = y;
    memcpy(&bits, &z, sizeof bits);
    bits ^= 0x55;
    bits ^= 0x55;
    memcpy(&z, &bits, sizeof z);
    return z;
}
static float slow_power(float x, float y);
void *__enzyme_function_like_log[] = {(void *)slow_log, "log1p"};
void *__enzyme_function_like_power[] = {(void *)slow_power, "pow"};
static float slow_power(float x, float y)
{
    return (float)(long)(powf(x, y) * 1024.0F) / 1024.0F;
}
static double with_known(double x)
{
    return slow_log(x) * x + (double)slow_power((float)x, 3.0F);
}

// Numbers moved as integers: only the user knows.
struct carrier {
    long key;
    long data[3];
};
static void moved(const struct carrier *from, struct carrier *to)
{
    __enzyme_double((void *)from->data, sizeof from->data);
    __enzyme_integer((void *)&from->key, sizeof from->key);
    memcpy(to, from, sizeof *to);
}

int main(void)
{
    EXPECT(__enzyme_autodiff((void *)with_functions, 2.0), 4 + 2);
    EXPECT(runs, 1);
    EXPECT(__enzyme_fwddiff((void *)with_functions, 2.0, 1.0), 4 + 2);
    EXPECT(__enzyme_autodiff((void *)stopped, 2.0), 0);

    double x[3] = {2, 3, 4}, bar[3] = {0};
    __enzyme_autodiff((void *)with_variables, x, bar);
    EXPECT(bar[0], 4);
    EXPECT(bar[1], 2);
    EXPECT(bar[2], 0);

    EXPECT(__enzyme_autodiff((void *)with_shadows, 2.0), 25 * (2 + 12));
    EXPECT(scale_bar, 2 * 5 * 16);
    EXPECT(weights_bar[0], 50);
    EXPECT(weights_bar[1], 100);
    __enzyme_autodiff((void *)with_shadows, 2.0);
    EXPECT(scale_bar, 2 * 2 * 5 * 16); // accumulates
    scale_bar = 1;
    weights_bar[0] = weights_bar[1] = 0;
    EXPECT(__enzyme_fwddiff((void *)with_shadows, 2.0, 0.0), 160);

    EXPECT(__enzyme_autodiff((void *)with_known, 2.0), log1p(2.0) + 2.0 / 3 + 12);
    EXPECT(__enzyme_fwddiff((void *)with_known, 2.0, 1.0), log1p(2.0) + 2.0 / 3 + 12);

    struct carrier from = {1, {0}}, to = {0, {0}}, from_bar = {0, {0}}, to_bar = {0, {0}};
    double seeds[3] = {1, 2, 3}, got[3];
    memcpy(to_bar.data, seeds, sizeof seeds);
    __enzyme_autodiff((void *)moved, enzyme_dup, &from, &from_bar, enzyme_dup, &to, &to_bar);
    memcpy(got, from_bar.data, sizeof got);
    EXPECT(to.key, 1);
    EXPECT(got[0], 1);
    EXPECT(got[2], 3);
    moved(&from, &to);
    return expect_failures != 0;
}
