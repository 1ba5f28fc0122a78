// check: main flags=-Itests/support
// Checkpointed loops that carry numbers and integers of all kinds, vectors, structs and static variables.
#include "expect.h"
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_out;
void __enzyme_checkpoint(long);
typedef float f4 __attribute__((vector_size(16)));
struct pt { float x, y; };
static double odd(double x, int steps)
{
    _Bool flip = 0; char c = 3; float f = x; long double ld = x; f4 v = {1, 2, 3, 4}; struct pt p = {f, 2 * f};
    double hist[400]; static int calls; unsigned long long bits = 12345;
    unsigned __int128 wide = 7;
    for (int s = 0; s < steps; s++) {
        __enzyme_checkpoint(2);
        calls++;
        if (flip) { f = sinf(f) + 0.5f * p.y; flip = f > 0.7f; } else { f *= 1.01f; flip = 1; }
        ld = ld * 0.99L + f * ld * 0.001L;
        v = v * 0.99f + f * 0.01f * v;
        struct pt q = {p.y * 0.99f + (float)ld * 0.001f, p.x}; p = q;
        bits = bits * 6364136223846793005ull + 1442695040888963407ull;
        wide = wide * 5 + bits;
        c = (char)(c * 3 + (bits >> 60) + (wide >> 126));
        hist[s] = f * ld + (c & 3) * p.x;
    }
    double sum = 0;
    for (int s = 0; s < steps; s++) sum += hist[s] * (s & 3);
    return sum + ld * f + v[0] * v[3] + p.x * p.y + flip * x + c * 0.01 * x;
}
/* a choice of memory in front of the loop, and triangular inner loops with calls */
static double area(const double *restrict a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * a[(i + 1) % n]; return s; }
static double choice(double x, int steps)
{
    double u[6] = {x, 1, 2, x, 0.5, x * x}, total = 0;
    int k = 0;
    do {
        __enzyme_checkpoint(0);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < i; j++)
                u[i] += 0.001 * u[j] * area(u, i + 1);
        total += u[k % 6];
        if (total > 1e3) return total * x;
        k += 1 + (u[2] > 2.2);
    } while (k < steps);
    return total + area(u, 6);
}
static void check(const char *name, double reverse, double forward, double tolerance)
{
    if (!(fabs(reverse - forward) <= tolerance * (1 + fabs(forward)))) {
        printf("FAIL: %s is %.12g, expected %.12g\n", name, reverse, forward);
        expect_failures++;
    }
}

#define CHECK(f, x, n, tolerance)                                                                                       \
    check(#f, __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_const, n),                                              \
          __enzyme_fwddiff((void *)f, x, 1.0, enzyme_const, n), tolerance)

int main(void)
{
    CHECK(choice, 0.6, 50, 1e-12);
    CHECK(choice, 0.6, 500, 1e-12);
    CHECK(odd, 0.61, 90, 1e-5);
    double h = 1e-6, slope = (choice(0.6 + h, 500) - choice(0.6 - h, 500)) / (2 * h);
    check("choice by differences", __enzyme_autodiff((void *)choice, enzyme_out, 0.6, enzyme_const, 500), slope, 1e-6);
    return expect_failures != 0;
}
