// check: array n=9
// SSE2 intrinsics: a dot product and a normalisation, two lanes at a time.
#include <emmintrin.h>
#include <math.h>

static double dot(const double *a, const double *b, int n)
{
    __m128d sum = _mm_setzero_pd();
    int i = 0;
    for (; i + 2 <= n; i += 2)
        sum = _mm_add_pd(sum, _mm_mul_pd(_mm_loadu_pd(a + i), _mm_loadu_pd(b + i)));
    double lanes[2];
    _mm_storeu_pd(lanes, sum);
    double total = lanes[0] + lanes[1];
    for (; i < n; i++)
        total += a[i] * b[i];
    return total;
}

double objective(const double *x, int n)
{
    double y[16];
    __m128d scale = _mm_set1_pd(x[0]);
    int i = 0;
    for (; i + 2 <= n; i += 2) {
        __m128d v = _mm_loadu_pd(x + i);
        v = _mm_max_pd(_mm_sqrt_pd(v), _mm_sub_pd(v, _mm_set_pd(0.1, 0.2)));
        _mm_storeu_pd(y + i, _mm_mul_pd(v, _mm_shuffle_pd(scale, v, 1)));
    }
    for (; i < n; i++)
        y[i] = sqrt(x[i]);
    return dot(x, y, n) + _mm_cvtsd_f64(_mm_unpackhi_pd(scale, scale));
}
