// check: array n=8 range=-1.5:1.5
// What compilers make of sign tests: fabs by clearing the sign bit, copysign by masks, tests of zero and sign by bits.
#include <stdint.h>
#include <string.h>

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
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double magnitude = number(bits(x[i]) & 0x7fffffffffffffffu);
        double signed_ = number((bits(x[n - 1 - i]) & 0x7fffffffffffffffu) | (bits(x[i]) & 0x8000000000000000u));
        double negated = number(bits(x[i]) ^ 0x8000000000000000u);
        if (bits(x[i]) >> 63)
            sum -= magnitude * x[i];
        if (bits(x[i]) << 1)
            sum += signed_ * negated * (i + 1);
    }
    return sum;
}
