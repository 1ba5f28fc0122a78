// check: array n=11 flags=-mavx2,-mfma
// AVX2 and FMA intrinsics: blends by comparison, fused multiply-add, horizontal sums, masked rest.
#include <immintrin.h>

static double horizontal(__m256d v)
{
    __m128d low = _mm256_castpd256_pd128(v), high = _mm256_extractf128_pd(v, 1);
    low = _mm_add_pd(low, high);
    return _mm_cvtsd_f64(_mm_add_sd(low, _mm_unpackhi_pd(low, low)));
}

double objective(const double *x, int n)
{
    __m256d sum = _mm256_setzero_pd(), one = _mm256_set1_pd(1.0);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256d v = _mm256_loadu_pd(x + i);
        __m256d big = _mm256_cmp_pd(v, one, _CMP_GT_OQ);
        __m256d w = _mm256_blendv_pd(_mm256_mul_pd(v, v), _mm256_div_pd(one, v), big);
        sum = _mm256_fmadd_pd(w, v, sum);
        sum = _mm256_hadd_pd(sum, _mm256_permute4x64_pd(w, 0x1b));
    }
    double rest = 0.0;
    for (; i < n; i++)
        rest += x[i] * x[i];
    return horizontal(sum) * rest;
}
