// check: array n=6
// C99 complex numbers: products, quotients, conjugate, real and imaginary parts.
#include <complex.h>

double objective(const double *x, int n)
{
    double complex z = x[0] + x[1] * I, c = x[2] - x[3] * I, w = 1.0;
    for (int i = 0; i < 5; i++)
        w = w * z + c;
    double complex q = w * conj(z) + c * (x[4] + x[5] * I);
    return creal(q) * cimag(w) + creal(w);
}
