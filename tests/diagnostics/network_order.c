/* Numbers that are sent in the order of bytes of a network. */
#include <stdint.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

static void pack(unsigned char *at, double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof d);
    bits = __builtin_bswap64(bits);
    memcpy(at, &bits, sizeof bits);
}

static double unpack(const unsigned char *at)
{
    uint64_t bits;
    double d;
    memcpy(&bits, at, sizeof bits);
    bits = __builtin_bswap64(bits);
    memcpy(&d, &bits, sizeof d);
    return d;
}

static double f(const double *x, int n)
{
    unsigned char wire[64];
    double sum = 0;
    for (int i = 0; i < n; i++)
        pack(wire + 8 * i, x[i] * x[i]);
    for (int i = 0; i < n; i++)
        sum += unpack(wire + 8 * (n - 1 - i));
    return sum;
}

int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 2);
    return x_bar[0] > 0;
}
