// check: array n=5 range=0.5:2.0 real=float refused=E0111
// Fixed-point numbers in an array, made numbers again by the bits of a large one.
#include <stdint.h>
#include <string.h>

struct fixed {
    int32_t raw;
};

static struct fixed from(float v)
{
    struct fixed f = {(int32_t)(v * 65536.0f)};
    return f;
}

static float to(struct fixed f)
{
    uint32_t bits = 0x4b400000u + (uint32_t)(f.raw >> 4);
    float r;
    memcpy(&r, &bits, sizeof r);
    return (r - 12582912.0f) / 4096.0f;
}

float objective(float *x, int n)
{
    struct fixed a[8];
    float s = 0;
    for (int i = 0; i < n; i++)
        a[i] = from(x[i] * x[i]);
    for (int i = 0; i < n; i++)
        s += to(a[i]) * (float)(i + 1);
    return s;
}
