// check: array n=8 range=0.2:0.9
// C99's complex functions in double: elementary ones, their inverses, powers, and the parts of numbers.
#include <complex.h>

static double weigh(double complex w)
{
    return creal(w) + 0.7 * cimag(w);
}

double objective(const double *x, int n)
{
    double complex z = x[0] + x[1] * I, c = -x[2] + x[3] * I, u = x[4] - x[5] * I, v = -x[6] - x[7] * I;
    double complex all[] = {z, c, u, v};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double complex a = all[i];
        sum += weigh(cexp(a) * clog(a)) + weigh(csqrt(a)) + weigh(csin(a) / ccos(a) + ctan(a));
        sum += weigh(casin(a) * 1.1 + cacos(a) * 1.3 + catan(a)) + weigh(csinh(a) * ccosh(a) - ctanh(a));
        sum += weigh(casinh(a) + cacosh(a) * 1.7 + catanh(a)) + weigh(cpow(a, 0.3 * c)) + weigh(cproj(a));
        sum += cabs(a) * carg(a) + weigh(conj(a) * a * I);
    }
    return sum;
}
