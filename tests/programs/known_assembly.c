// check: array n=6
// Inline assembly that keeps the optimiser out, and the minimum of two registers.
#include <emmintrin.h>

static double hidden(double x)
{
    __asm__ volatile("" : "+r,m"(x) : : "memory");
    return x;
}

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i + 1 < n; i++) {
        double a = hidden(x[i] * x[i]), b = x[i + 1];
        __asm__("" : "+x"(b));
        __m128d low = _mm_set_pd(b, a);
        __asm__("minpd %1, %0" : "+x"(low) : "x"(_mm_set1_pd(x[0])));
        sum += _mm_cvtsd_f64(low) * hidden(b) + _mm_cvtsd_f64(_mm_unpackhi_pd(low, low));
        __asm__ volatile("" : : "g"(&sum) : "memory");
    }
    return sum;
}
