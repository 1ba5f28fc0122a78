// check: array n=8 flags=-mavx2,-mfma
// Fused multiplications as inline assembly, as Eigen has them for processors that know them, in all orders of operands.
#include <immintrin.h>

#define FUSED(name, instruction, type)                                       \
    static type name(type a, type b, type c)                                 \
    {                                                                        \
        __asm__(instruction " %[a], %[b], %[c]" : [c] "+x"(c) : [a] "x"(a), [b] "x"(b)); \
        return c;                                                            \
    }
FUSED(added, "vfmadd231pd", __m256d)
FUSED(product_first, "vfmadd213pd", __m256d)
FUSED(product_last, "vfmadd132pd", __m256d)
FUSED(subtracted, "vfmsub213pd", __m256d)
FUSED(negated, "vfnmadd231pd", __m256d)
FUSED(both, "vfnmsub132pd", __m128d)
FUSED(one, "vfmadd231sd", double)
FUSED(one_float, "vfnmadd213ss", float)

double objective(const double *x, int n)
{
    __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4), c = _mm256_mul_pd(a, b);
    const __m256d s = added(a, b, c), t = product_first(a, c, b), u = product_last(c, a, b), v = subtracted(a, b, s);
    const __m256d w = negated(u, v, t);
    const __m128d z = both(_mm256_castpd256_pd128(s), _mm256_extractf128_pd(t, 1), _mm256_castpd256_pd128(w));
    double sum = one(x[0], x[1], x[2] * x[3]) * z[0] + z[1] + 1e-3 * (double)one_float(2.0f, 3.0f, 4.0f);
    for (int i = 0; i < 4; i++)
        sum += (i + 1) * w[i] + s[i] * t[3 - i];
    return sum * n;
}
