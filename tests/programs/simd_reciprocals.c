// check: array n=8 range=0.5:2 tol=5e-3 identity=1e-6 step=0.05
// The processor's approximate reciprocals and square roots: derivatives are those of the functions they approximate.
#include <immintrin.h>

double objective(const double *x, int n)
{
    float in[8];
    for (int i = 0; i < 8; i++)
        in[i] = (float)x[i];
    __m128 a = _mm_loadu_ps(in), b = _mm_loadu_ps(in + 4);
    // One step of Newton's iteration makes the approximations exact to single precision.
    __m128 r = _mm_rcp_ps(a), q = _mm_rsqrt_ps(b);
    r = _mm_mul_ps(r, _mm_sub_ps(_mm_set1_ps(2), _mm_mul_ps(a, r)));
    q = _mm_mul_ps(q, _mm_sub_ps(_mm_set1_ps(1.5f), _mm_mul_ps(_mm_mul_ps(_mm_set1_ps(0.5f), b), _mm_mul_ps(q, q))));
    __m128 first = _mm_mul_ss(_mm_rcp_ss(a), _mm_rsqrt_ss(b));
    float out[4];
    _mm_storeu_ps(out, _mm_mul_ps(r, q));
    return out[0] + out[1] + out[2] + out[3] + 0 * _mm_cvtss_f32(first);
}
