/* A bitcast, a sum that is neither a step to the next number nor one of exponents, and a cast back. */
#include <stdint.h>
#include <string.h>

extern double __enzyme_autodiff(void *, double);

static double f(double x)
{
    double square = x * x;
    uint64_t bits;
    memcpy(&bits, &square, sizeof bits);
    bits -= (uint64_t)1 << 45;
    memcpy(&square, &bits, sizeof square);
    return square * x;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, 3.0) > 0;
}
