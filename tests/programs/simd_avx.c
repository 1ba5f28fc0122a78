// check: array n=8 range=0.4:1.6 flags=-mavx2,-mfma
// Vector instructions called by name: horizontal and alternating sums, minimum and maximum, dot products, permutations.
#include <immintrin.h>

static double sum(__m256d v)
{
    __m256d h = _mm256_hadd_pd(v, _mm256_hsub_pd(v, _mm256_set_pd(1.0, 2.0, 3.0, 4.0)));
    __m128d s = _mm_add_pd(_mm256_castpd256_pd128(h), _mm256_extractf128_pd(h, 1));
    return _mm_cvtsd_f64(s) + 0.3 * _mm_cvtsd_f64(_mm_unpackhi_pd(s, s));
}

double objective(const double *x, int n)
{
    __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4), c = _mm256_set1_pd(0.9 * x[0]);
    __m256d d = _mm256_addsub_pd(_mm256_mul_pd(a, b), _mm256_sqrt_pd(a));
    d = _mm256_fmaddsub_pd(d, a, _mm256_max_pd(b, c));
    d = _mm256_add_pd(d, _mm256_min_pd(_mm256_mul_pd(a, a), b));
    __m256d less = _mm256_cmp_pd(a, b, _CMP_LT_OQ);
    d = _mm256_blendv_pd(d, _mm256_div_pd(a, b), less);
    d = _mm256_add_pd(d, _mm256_mul_pd(_mm256_round_pd(_mm256_mul_pd(a, b), _MM_FROUND_TO_ZERO), b));
    __m256i turn = _mm256_set_epi64x(n - 8, 2, n - 6, 0);
    d = _mm256_mul_pd(d, _mm256_permutevar_pd(b, turn));
    d = _mm256_xor_pd(d, _mm256_set1_pd(-0.0));
    d = _mm256_add_pd(d, _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_sub_pd(a, b)));
    __m128d dot = _mm_dp_pd(_mm256_castpd256_pd128(a), _mm256_castpd256_pd128(b), 0x31);
    dot = _mm_max_sd(_mm_min_sd(dot, _mm_set_sd(x[1])), _mm_sqrt_sd(dot, _mm_set_sd(x[2])));
    dot = _mm_floor_sd(dot, _mm_mul_sd(dot, _mm_set_sd(3.0)));
    return sum(d) * (0.5 + _mm_cvtsd_f64(_mm_unpackhi_pd(dot, dot))) + _mm_cvtsd_f64(dot) * x[7];
}
