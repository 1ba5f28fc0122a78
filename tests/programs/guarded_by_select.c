// check: main
// Optimisation computes both sides of a choice; an infinite slope on the side not taken must not reach the operands.
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double root(double x) { return x > 0 ? sqrt(x) : 0; }
static double quotient(double x) { return x != 0 ? 3 / x : 1; }
static double softplus(double x) { return x > 30 ? x : log1p(exp(x)); }
static double entropy(double x) { return x > 0 ? x * log(x) : 0; }
static double angle(double x) { return fabs(x) < 1 ? asin(x) * x : x; }
static double power(double x) { return x > 0 ? pow(x, 0.3) * exp(1 / x) : 2 * x; }
static double norm(double x)
{
    double s = x * x, r = sqrt(s);
    return s > 0 ? x / r * (x + 2) : x;
}
static double sinc(double x) { return x == 0 ? 1 : sin(x) / x; }
static double average(double x)
{
    double sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        double y = x * i, weight = sqrt(y);
        sum += i ? weight * y : y;
        count += i;
    }
    return count > 0 ? sum / count : x;
}
static double bessel(double x) { return j1(x); }
static double slope(double x) { return __enzyme_autodiff((void *)bessel, x); }

static int failures;

static void expect(const char *name, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * (1 + fabs(expected)))) {
        printf("%s: %g, expected %g\n", name, found, expected);
        failures++;
    }
}

#define CHECK(f, x, expected)                                          \
    do {                                                               \
        expect(#f, __enzyme_autodiff((void *)f, (double)x), expected); \
        expect(#f, __enzyme_fwddiff((void *)f, (double)x, 1.0), expected); \
    } while (0)

int main(void)
{
    CHECK(root, 0, 0);
    CHECK(root, 4, 0.25);
    CHECK(quotient, 0, 0);
    CHECK(quotient, 2, -0.75);
    CHECK(softplus, 1000, 1);
    CHECK(softplus, 0, 0.5);
    CHECK(entropy, 0, 0);
    CHECK(entropy, 1, 1);
    CHECK(angle, 1, 1);
    CHECK(angle, 5, 1);
    CHECK(power, 0, 2);
    CHECK(power, -1, 2);
    CHECK(norm, 0, 1);
    CHECK(norm, 3, 1);
    CHECK(sinc, 0, 0);
    CHECK(average, 1, 1.5 * (1 + 2 * sqrt(2) + 3 * sqrt(3)) / 6);
    CHECK(slope, 0, 0);
    return failures != 0;
}
