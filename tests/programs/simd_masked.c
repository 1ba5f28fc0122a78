// check: array n=7 flags=-mavx2,-mfma refused=E0103@-O2-fno-inline
// Some lanes of a vector loaded and stored: the rest of an array, and lanes that the data choose.
#include <immintrin.h>

static __m256i first(int count)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_set_epi64x(3, 2, 1, 0));
}

double objective(const double *x, int n)
{
    double y[7] = {0.5, 0.25, 1.5, 2.5, 0.75, 1.25, 2.0}, sum = 0.0;
    for (int i = 0; i < n; i += 4) {
        __m256i inside = first(n - i);
        __m256d v = _mm256_maskload_pd(x + i, inside);
        __m256d w = _mm256_maskload_pd(y + i, inside);
        __m256d big = _mm256_and_pd(_mm256_cmp_pd(v, w, _CMP_GT_OQ), _mm256_castsi256_pd(inside));
        _mm256_maskstore_pd(y + i, _mm256_castpd_si256(big), _mm256_mul_pd(v, _mm256_add_pd(v, w)));
    }
    for (int i = 0; i < n; i++)
        sum += y[i] * y[(i + 2) % n] * (1.0 + 0.1 * i);
    return sum;
}
