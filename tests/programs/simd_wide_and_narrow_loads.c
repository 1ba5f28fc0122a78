// check: array n=8 flags=-mavx2
// A short vector is read again out of a long one.
#include <immintrin.h>
double objective(const double *x, int n) {
  __m256d a = _mm256_loadu_pd(x);
  __m128d p = _mm_loadu_pd(x + 2);
  a = _mm256_mul_pd(a, a); p = _mm_mul_pd(p, _mm256_castpd256_pd128(a));
  return _mm_cvtsd_f64(p) + _mm_cvtsd_f64(_mm_unpackhi_pd(p, p));
}
