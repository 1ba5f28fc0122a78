/* Arrays of numbers, changed by a function that takes them for integers. */
#include <stdint.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static void twice(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        bits += (uint64_t)1 << 52;
        memcpy(&to[i], &bits, sizeof bits);
    }
}

static double f(const double *x, int n)
{
    double y[4];
    twice(y, x, n);
    return y[0] * y[0] + x[0];
}

int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 2);
    return x_bar[0] > 0;
}
