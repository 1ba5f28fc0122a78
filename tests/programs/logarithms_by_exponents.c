// check: array n=6 range=0.55:0.98 real=float tol=2e-2
/* Logarithms and exponentials as libraries write them for vectors: exponents that are added to, or taken from, the bits of a
   number, scalars and vectors. */
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef float numbers __attribute__((vector_size(16)));
typedef uint32_t words __attribute__((vector_size(16)));
typedef int32_t counts __attribute__((vector_size(16)));

static float series(float f) { return f - f * f / 2 + f * f * f / 3 - f * f * f * f / 4; }

/* The exponent, one less for numbers above 4/3 of it, and a fraction around 1. */
static float log_by_sum(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += 0x3f800000 - 0x3f2aaaab;
    int exponent = (int)(bits >> 23) - 127;
    bits = (bits & 0x7fffff) + 0x3f2aaaab;
    float f;
    memcpy(&f, &bits, sizeof f);
    return exponent * 0.6931472f + series(f - 1);
}

static float log_by_difference(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t above = bits - 0x3f2aaaab;
    bits -= above & 0xff800000;
    float f;
    memcpy(&f, &bits, sizeof f);
    return ((int32_t)above >> 23) * 0.6931472f + series(f - 1);
}

static float exp_by_sum(float x)
{
    float n = floorf(x * 1.442695f + 0.5f), r = x - n * 0.6931472f, power = 1 + r + r * r / 2 + r * r * r / 6;
    uint32_t bits;
    memcpy(&bits, &power, sizeof bits);
    bits += (uint32_t)(int)n << 23;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The first bit of the fraction chooses between two exponents; infinite or none where there is no logarithm. */
static numbers log_of_vector(numbers x)
{
    words bits;
    memcpy(&bits, &x, sizeof bits);
    words fraction = bits & 0x7fffff, exponent = fraction >> 22 ^ 127, of = exponent << 23 | fraction;
    numbers f;
    memcpy(&f, &of, sizeof f);
    counts n = (counts)(bits >> 23) - (counts)exponent;
    f -= 1;
    f = __builtin_convertvector(n, numbers) * 0.6931472f + f - f * f / 2 + f * f * f / 3 - f * f * f * f / 4;
    words valid = (words)(x > 0), large = (words)(x > 1e38f), result;
    memcpy(&result, &f, sizeof result);
    result = (result & valid) | (large & 0x7f800000) | (~valid & 0xff800000);
    memcpy(&f, &result, sizeof f);
    return f;
}

float objective(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        numbers v = {x[i], x[(i + 1) % n], x[i] * x[i] + 1, 3 * x[i]}, of = log_of_vector(v);
        sum += log_by_sum(x[i]) * x[i] + 2 * log_by_difference(x[i]) + exp_by_sum(4 * x[i] - 2) + of[0] + 2 * of[1] - of[2] * of[3];
    }
    return sum;
}
