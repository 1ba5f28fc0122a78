// check: array n=8 real=float range=0.4:1.6 tol=2e-2 flags=-msse4.1
// Single-precision vector instructions called by name; the fast reciprocals are approximations.
#include <immintrin.h>

float objective(const float *x, int n)
{
    __m128 a = _mm_loadu_ps(x), b = _mm_loadu_ps(x + 4);
    __m128 c = _mm_hadd_ps(_mm_mul_ps(a, b), _mm_addsub_ps(a, b));
    c = _mm_add_ps(c, _mm_dp_ps(a, b, 0x7f));
    c = _mm_mul_ps(c, _mm_max_ps(a, _mm_min_ps(b, c)));
    c = _mm_add_ps(c, _mm_add_ss(_mm_sqrt_ps(a), _mm_max_ss(a, b)));
    c = _mm_add_ps(c, _mm_mul_ps(a, _mm_round_ps(b, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)));
    c = _mm_hsub_ps(c, _mm_shuffle_ps(a, b, 0x1b));
    float out[4];
    _mm_storeu_ps(out, c);
    return out[0] + out[1] * out[2] - out[3];
}
