// check: array n=6 tol=1e-3 identity=1e-5 step=0.05
// _Complex in float, double and long double passed and returned by value, and in structs.
#include <complex.h>

typedef struct { double complex z; } Box;

#define NOINLINE __attribute__((noinline)) static
NOINLINE double complex multiply(double complex a, double complex b) { return a * b; }
NOINLINE float complex shrink(float complex a, double k) { return a * (float)k; }
NOINLINE long double complex stretch(long double complex a) { return a * a; }
NOINLINE Box boxed(Box b) { b.z = b.z * b.z + 1.0; return b; }

double objective(const double *x, int n)
{
    double complex z = multiply(x[0] + I * x[1], x[2] - I * x[3]);
    z += stretch(z) * shrink(z, x[4]);
    Box b = boxed((Box){z});
    return creal(b.z) * x[5] + cimag(b.z) + creal(z * conj(z)) + n;
}
