// check: array n=8 real=long range=0.2:0.9
// C99's complex functions in long double, whose numbers travel in memory.
#include <complex.h>

static long double weigh(long double complex w)
{
    return creall(w) + 0.7L * cimagl(w);
}

long double objective(const long double *x, int n)
{
    long double complex z = x[0] + x[1] * I, c = -x[2] + x[3] * I, u = x[4] - x[5] * I, v = -x[6] - x[7] * I;
    long double complex all[] = {z, c, u, v};
    long double sum = 0;
    for (int i = 0; i < 4; i++) {
        long double complex a = all[i];
        sum += weigh(cexpl(a) * clogl(a)) + weigh(csqrtl(a)) + weigh(csinl(a) / ccosl(a) + ctanl(a));
        sum += weigh(casinl(a) * 1.1L + cacosl(a) * 1.3L + catanl(a)) + weigh(csinhl(a) * ccoshl(a) - ctanhl(a));
        sum += weigh(casinhl(a) + cacoshl(a) * 1.7L + catanhl(a)) + weigh(cpowl(a, 0.3L * c)) + weigh(cprojl(a));
        sum += cabsl(a) * cargl(a) + weigh(conjl(a) * a * I);
    }
    return sum;
}
