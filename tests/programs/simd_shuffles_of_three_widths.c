// check: array n=8
// The bits of two numbers shuffled as words of four, eight and sixteen bytes.
#include <emmintrin.h>
double objective(const double *x, int n) {
  __m128d z = _mm_loadu_pd(x), y;
  __m128i b = _mm_shuffle_epi32(_mm_castpd_si128(z), _MM_SHUFFLE(1, 0, 3, 2));
  y = _mm_castsi128_pd(b);
  b = _mm_unpacklo_epi64(_mm_castpd_si128(z), b);
  y = _mm_add_pd(y, _mm_castsi128_pd(_mm_srli_si128(b, 8)));
  return _mm_cvtsd_f64(_mm_mul_pd(y, y)) * n;
}
