/* A bitcast, a sum that is no step to the next number, and a cast back. */
#include <stdint.h>
#include <string.h>

extern double __enzyme_autodiff(void *, double);

static double f(double x)
{
    double half = x * x;
    uint64_t bits;
    memcpy(&bits, &half, sizeof bits);
    bits -= (uint64_t)1 << 52;
    memcpy(&half, &bits, sizeof half);
    return half * x;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, 3.0) > 0;
}
