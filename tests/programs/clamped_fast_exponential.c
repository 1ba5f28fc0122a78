// check: array n=3 range=0.5:2.0 real=float refused=E0111
// A fast exponential whose bits are an integer that is clamped, and made by a product of integers.
#include <stdint.h>
#include <string.h>

static float fast_exp(float v)
{
    int32_t bits = (int32_t)(v * 1000.0f) * 12102 + 1064986823;
    if (bits < 0)
        bits = 0;
    if (bits > 0x7f800000)
        bits = 0x7f800000;
    float r;
    memcpy(&r, &bits, sizeof r);
    return r;
}

float objective(float *x, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += fast_exp(x[i]) * (float)(i + 1);
    return s;
}
