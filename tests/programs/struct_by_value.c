// check: array n=6
// Small structs passed and returned by value.
#include <math.h>

typedef struct {
    double re, im;
} cplx;

static cplx times(cplx a, cplx b)
{
    return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static cplx plus(cplx a, cplx b)
{
    return (cplx){a.re + b.re, a.im + b.im};
}

double objective(const double *x, int n)
{
    cplx z = {0.3, 0.2};
    for (int i = 0; i + 1 < n; i += 2)
        z = plus(times(z, z), (cplx){x[i], x[i + 1]});
    return log(z.re * z.re + z.im * z.im);
}
