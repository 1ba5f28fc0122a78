#include <math.h>
extern int enzyme_dup;
double __enzyme_augmentfwd(void *, ...);

static double f(double *x)
{
    double r = x[0] * x[1];
    x[0] = sin(r);
    return r + x[0];
}

int main(void)
{
    double x[2] = { 1, 2 }, bar[2] = { 0 };
    /* the tape comes first */
    return __enzyme_augmentfwd((void *)f, enzyme_dup, x, bar) > 0;
}
