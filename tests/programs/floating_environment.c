// check: array n=6 range=0.4:1.4 flags=-ffp-model=strict
// Arithmetic that respects rounding modes and exceptions, as LLVM's constrained intrinsics.
#include <fenv.h>
#include <math.h>

double objective(const double *x, int n)
{
    double sum = 0;
    feclearexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < n; i++) {
        double y = x[i] * x[(i + 1) % n] - x[i] / (float)(i + 2);
        sum += y > 0.2 ? sin(y) + sqrt(x[i]) : fma(y, x[i], exp(y)) - fmax(y, 0.1);
        sum -= floor(3 * y) * y + (int)(5 * y) * x[i] + fabs(y) + pow(x[i], 1.5) + fmod(y, 0.3);
    }
    return fetestexcept(FE_DIVBYZERO) ? -1 : -sum;
}
