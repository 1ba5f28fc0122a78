// check: array n=8 real=float range=0.5:1.5
// Products and quotients of float complex numbers, whose runtime functions return a vector.
#include <complex.h>

float objective(const float *x, int n)
{
    float complex z = x[0] + x[1] * I, c = x[2] - x[3] * I, w = x[4] + x[5] * I;
    for (int i = 0; i < n / 2; i++)
        w = (w * z + c) / (w + x[6] * I) - conjf(w) / x[7];
    return crealf(w) - 0.3f * cimagf(w);
}
