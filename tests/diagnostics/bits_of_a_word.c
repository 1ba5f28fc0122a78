/* A word of an array of which nothing else is used, changed as an integer on its way to a number. */
#include <stdint.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

static double f(const double *x)
{
    uint64_t bits;
    memcpy(&bits, &x[2], sizeof bits);
    bits += (uint64_t)1 << 45;
    double twice;
    memcpy(&twice, &bits, sizeof twice);
    return x[0] * x[1] + twice * x[3];
}

int main(void)
{
    double x[4] = {2, 3, 4, 5}, x_bar[4] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar);
    return x_bar[0] > 0;
}
