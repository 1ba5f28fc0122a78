// check: main
// Another exponent in the place of a number's own, as logarithms and roots of libraries do: the fraction's slope is a
// power of two; zeros, subnormal and infinite numbers and NaN keep the value that the bits have, without slope.
#include <math.h>
#include <stdint.h>
#include <string.h>
extern int enzyme_primal_return;
typedef struct { double value, bar; } Both;
typedef struct { float value, bar; } BothF;
Both __enzyme_autodiff_both(void *, int, double);
BothF __enzyme_autodiff_both_f(void *, int, float);
double __enzyme_fwddiff(void *, double, double);

static double fraction(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits & 0x800fffffffffffff) | 0x3fe0000000000000;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* without sign, with the exponent of 2 */
static float magnitude(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x40000000 | (bits & 0x007fffff);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double logarithm(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1022;
    double t = (fraction(x) - 1) / (fraction(x) + 1), s = t * t, sum = 0;
    for (int i = 41; i > 0; i -= 2) sum = 1.0 / i + s * sum;
    return 2 * t * sum + exponent * 0.69314718055994530942;
}

static int same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

int main(void)
{
    static const double special[] = {0.0, -0.0, 5e-324, -1e-310, 2.2250738585072009e-308};
    for (int i = 0; i < 5; i++) {
        Both found = __enzyme_autodiff_both((void *)fraction, enzyme_primal_return, special[i]);
        if (!same(found.value, fraction(special[i])) || found.bar != 0) return 1;
    }
    const double infinite[] = {HUGE_VAL, -HUGE_VAL, nan("7")};
    for (int i = 0; i < 3; i++) {
        Both found = __enzyme_autodiff_both((void *)fraction, enzyme_primal_return, infinite[i]);
        if (!same(found.value, fraction(infinite[i])) || found.bar != 0) return 2;
    }
    for (int e = -1022; e < 1024; e += 31) {
        double x = ldexp(e % 2 ? -1.375 : 1.875, e), slope = ldexp(1, -e - 1);
        Both found = __enzyme_autodiff_both((void *)fraction, enzyme_primal_return, x);
        if (!same(found.value, fraction(x)) || found.bar != slope) return 3;
        if (__enzyme_fwddiff((void *)fraction, x, 3.0) != 3 * slope) return 4;
    }
    for (int e = -126; e < 127; e += 11) {
        float x = ldexpf(e % 2 ? -1.375f : 1.875f, e);
        BothF found = __enzyme_autodiff_both_f((void *)magnitude, enzyme_primal_return, x);
        if (found.value != magnitude(x) || found.bar != ldexpf(x < 0 ? -1 : 1, 1 - e)) return 5;
    }
    for (double x = 1e-3; x < 1e3; x *= 1.7) {
        Both found = __enzyme_autodiff_both((void *)logarithm, enzyme_primal_return, x);
        if (fabs(found.value - log(x)) > 1e-13 * (1 + fabs(log(x)))) return 6;
        if (fabs(found.bar - 1 / x) > 1e-12 / x) return 7;
        if (fabs(__enzyme_fwddiff((void *)logarithm, x, 1.0) - 1 / x) > 1e-12 / x) return 8;
    }
    return 0;
}
