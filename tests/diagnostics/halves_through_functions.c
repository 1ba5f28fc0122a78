/* The halves of a number, taken from it by one function and put together by another. */
#include <stdint.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static uint32_t half(double d, int upper)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof d);
    return (uint32_t)(upper ? bits >> 32 : bits);
}

__attribute__((noinline)) static double whole(uint32_t upper, uint32_t lower)
{
    uint64_t bits = (uint64_t)upper << 32 | lower;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static double f(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += whole(half(x[i], 1), half(x[i], 0)) * x[i];
    return sum;
}

int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 2);
    return x_bar[0] > 0;
}
