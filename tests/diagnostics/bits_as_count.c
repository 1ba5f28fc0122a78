#include <stdint.h>
#include <string.h>
extern int enzyme_dup;
float __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

/* fast logarithms: the bits of a number as an integer, of a number in memory, and of the fraction alone */
static float logarithm(float x)
{
    union { float number; int32_t bits; } u = {x};
    return u.bits * 1.1920928955078125e-7f - 126.94269504f;
}

static double in_memory(const double *x)
{
    int64_t bits;
    memcpy(&bits, x, sizeof bits);
    return (double)(bits - 4606853616395542500) * 1.5e-16;
}

static float fraction(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (float)(bits & 0x7fffff) * 1e-7f;
}

/* exponents are constant between jumps, and a hash is none of a number's slope */
static float allowed(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    float exponent = (float)((int)(bits >> 23) - 127), noise = (float)((bits * 2654435761u) >> 8);
    return x * exponent + noise;
}

int main(void)
{
    double x = 2, x_dot = 1;
    float sum = __enzyme_autodiff((void *)logarithm, 3.0f) + __enzyme_autodiff((void *)fraction, 3.0f);
    return sum + __enzyme_fwddiff((void *)in_memory, enzyme_dup, &x, &x_dot) + __enzyme_autodiff((void *)allowed, 3.0f) > 0;
}
