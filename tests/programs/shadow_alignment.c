// check: main
// Code that looks at an address and then uses instructions for aligned memory: the shadow may lie elsewhere.
#include "../support/expect.h"
#include <emmintrin.h>
#include <stdint.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double sum_of_squares(const double *p, int n)
{
    double sum = 0;
    int i = 0;
    for (; i < n && (uintptr_t)(p + i) % 16; i++)
        sum += p[i] * p[i];
    __m128d two = _mm_setzero_pd();
    for (; i + 1 < n; i += 2) {
        __m128d v = _mm_load_pd(p + i);
        two = _mm_add_pd(two, _mm_mul_pd(v, v));
    }
    for (; i < n; i++)
        sum += p[i] * p[i];
    return sum + _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
}

int main(void)
{
    _Alignas(16) double x[10], shadows[10];
    for (int places = 0; places < 4; places++) {
        double *at = x + places % 2, *shadow = shadows + places / 2;
        for (int i = 0; i < 8; i++) {
            at[i] = i + 1;
            shadow[i] = 0;
        }
        __enzyme_autodiff((void *)sum_of_squares, enzyme_dup, at, shadow, enzyme_const, 8);
        for (int i = 0; i < 8; i++)
            EXPECT(shadow[i], 2 * (i + 1));
        double tangent = __enzyme_fwddiff((void *)sum_of_squares, enzyme_dup, at, shadow, enzyme_const, 8);
        EXPECT(tangent, 4 * 204);
    }
    return expect_failures;
}
