#include <string.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

/* the fast inverse square root */
static float f(float a)
{
    int bits;
    float half = 0.5f * a, guess;
    memcpy(&bits, &a, sizeof bits);
    bits = 0x5f3759df - (bits >> 1);
    memcpy(&guess, &bits, sizeof guess);
    return guess * (1.5f - half * guess * guess);
}

extern float __enzyme_autodiff_float(void *, ...);

int main(void)
{
    return __enzyme_autodiff_float((void *)f, enzyme_out, 1.5f) > 0.0f;
}
