// check: array n=9 flags=-mavx2,-mfma
// Numbers gathered by indices: whole vectors, chosen lanes, `float` and `double`, indices of both widths; and lanes that
// a masked store leaves out, which have no value where they were loaded.
#include <immintrin.h>

static double in_float(const double *x, int n)
{
    float y[9];
    for (int i = 0; i < n; i++)
        y[i] = (float)(x[i] * x[i]);
    __m256 eight = _mm256_i32gather_ps(y + 1, _mm256_set_epi32(7, 0, 3, 3, 1, 6, -1, 2), 4);
    __m128 two = _mm_i64gather_ps(y, _mm_set_epi64x(5, 2), 4);
    __m128 low = _mm_cvtpd_ps(_mm_loadu_pd(x + 3));
    float lanes[8], sums[4];
    _mm256_storeu_ps(lanes, _mm256_mul_ps(eight, eight));
    _mm_storeu_ps(sums, _mm_add_ps(_mm_mul_ps(two, low), two));
    double sum = sums[0] * sums[1] + sums[2] + sums[3];
    for (int i = 0; i < 8; i++)
        sum += (i + 1) * lanes[i];
    return sum;
}

double objective(const double *x, int n)
{
    __m256d a = _mm256_loadu_pd(x), sum = _mm256_setzero_pd();
    for (int i = 0; i < n; i++) {
        __m128i at = _mm_set_epi32((i * 3) % n, (i + 1) % n, i, n - 1 - i);
        __m256d b = _mm256_i32gather_pd(x, at, 8);
        __m256d large = _mm256_cmp_pd(b, a, _CMP_GT_OQ);
        b = _mm256_mask_i32gather_pd(a, x, _mm_shuffle_epi32(at, 0x1b), large, 8);
        sum = _mm256_fmadd_pd(a, b, sum);
    }
    __m128d pair = _mm_i64gather_pd(x + 1, _mm_set_epi64x(2, 3), 8);
    __m256i some = _mm256_set_epi64x(-1, 0, -1, -1);
    __m256d lanes = _mm256_maskload_pd(x + n - 4, some);
    double out[4] = {1.0, 1.0, 1.0, 1.0};
    _mm256_maskstore_pd(out, some, _mm256_mul_pd(sum, lanes));
    return out[0] * out[1] + out[2] + out[3] + pair[0] * pair[1] + 1e-3 * in_float(x, n);
}
