// check: array n=9 range=-1.5:1.5 tol=1e-3 identity=1e-5 step=0.05
// Sign bits taken and given by masks, from one number to another, in float, and chosen by a mask.
#include <stdint.h>
#include <string.h>

#define SIGN 0x8000000000000000u

static uint64_t bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static double number(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

double objective(const double *x, int n)
{
    double y[16], sum = 0.0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            y[i] = number(bits(x[i] * x[i] - 0.5) & ~SIGN);
        else if (i % 3 == 1)
            y[i] = number(bits(x[i]) ^ (bits(x[i - 1]) & SIGN));
        else
            y[i] = number((bits(x[i]) & ~SIGN) | (bits(x[n - i]) & SIGN));
    }
    for (int i = 0; i < n; i++) {
        double kept = number(bits(y[i]) & -(uint64_t)(x[i] > 0.25));
        float f = (float)y[i];
        uint32_t half;
        memcpy(&half, &f, 4);
        half |= 0x80000000u;
        memcpy(&f, &half, 4);
        sum += (i + 1) * kept * y[n - 1 - i] + 0.5 * (double)f * (double)f;
    }
    return sum;
}
