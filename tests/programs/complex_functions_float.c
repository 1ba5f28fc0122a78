// check: array n=8 real=float range=0.2:0.9
// C99's complex functions in float, whose numbers travel in vectors.
#include <complex.h>

static float weigh(float complex w)
{
    return crealf(w) + 0.7f * cimagf(w);
}

float objective(const float *x, int n)
{
    float complex z = x[0] + x[1] * I, c = -x[2] + x[3] * I, u = x[4] - x[5] * I, v = -x[6] - x[7] * I;
    float complex all[] = {z, c, u, v};
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        float complex a = all[i];
        sum += weigh(cexpf(a) * clogf(a)) + weigh(csqrtf(a)) + weigh(csinf(a) / ccosf(a) + ctanf(a));
        sum += weigh(casinf(a) * 1.1f + cacosf(a) * 1.3f + catanf(a)) + weigh(csinhf(a) * ccoshf(a) - ctanhf(a));
        sum += weigh(casinhf(a) + cacoshf(a) * 1.7f + catanhf(a)) + weigh(cpowf(a, 0.3f * c)) + weigh(cprojf(a));
        sum += cabsf(a) * cargf(a) + weigh(conjf(a) * a * I);
    }
    return sum;
}
