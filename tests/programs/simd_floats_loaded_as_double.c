// check: array n=8 real=float tol=1e-2
// Two floats are loaded as one double, and taken out of a vector as one.
#include <immintrin.h>
#include <string.h>
float objective(const float *x, int n) {
  __m128 a = _mm_loadu_ps(x); double d; memcpy(&d, x + 2, 8); __m128 b = _mm_castpd_ps(_mm_set1_pd(d));
  __m128 c = _mm_loadl_pi(a, (const __m64 *)(x + 2)); c = _mm_mul_ps(_mm_mul_ps(c, a), b); float o[4]; _mm_storeu_ps(o, c); return o[0] + o[1] * o[2] + o[3];
}
