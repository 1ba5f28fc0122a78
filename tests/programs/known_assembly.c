// check: array n=6
// Inline assembly that keeps the optimiser out, and the minimum of two registers.
#include <emmintrin.h>

static double hidden(double x)
{
    __asm__ volatile("" : "+r,m"(x) : : "memory");
    return x;
}

// One after the other, with several results; and an address whose origin is hidden.
static double twice_hidden(double a, const double *from)
{
    unsigned long address = (unsigned long)from;
    const double *same;
    double b = a * from[1];
    __asm__ volatile("" : "+x"(a));
    __asm__ volatile("" : "+x"(a), "+x"(b));
    __asm__ volatile("# only remarks" : "+x"(b), "+x"(a));
    __asm__("" : "=r"(same) : "0"(address));
    return a * b + same[0];
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
        sum += 0.1 * twice_hidden(a, x + i);
        __asm__ volatile("" : : "g"(&sum) : "memory");
    }
    return sum;
}
