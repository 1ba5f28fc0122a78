// check: main flags=-mavx2
// A masked store leaves a lane out, so that what was loaded there, and what is computed of it, has no value; nor has the
// memory that stands for it, here full of NaN.
#include <immintrin.h>
#include <math.h>
#include <stdio.h>

extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

static double product(const double *x)
{
    __m256i some = _mm256_set_epi64x(-1, 0, -1, -1);
    __m256d lanes = _mm256_mul_pd(_mm256_loadu_pd(x), _mm256_maskload_pd(x, some));
    double out[4] = {1, 1, 1, 1};
    _mm256_maskstore_pd(out, some, lanes);
    return out[0] * out[1] + out[2] + out[3];
}

__attribute__((noinline)) static void fill_the_stack(void)
{
    volatile double a[400];
    for (int i = 0; i < 400; i++)
        a[i] = NAN;
}

int main(void)
{
    double x[4] = {2, 3, 4, 5}, x_bar[4] = {0};
    fill_the_stack();
    __enzyme_autodiff((void *)product, enzyme_dup, x, x_bar);
    printf("%g %g %g %g\n", x_bar[0], x_bar[1], x_bar[2], x_bar[3]);
    return !(x_bar[0] == 36 && x_bar[1] == 24 && x_bar[2] == 0 && x_bar[3] == 10);
}
