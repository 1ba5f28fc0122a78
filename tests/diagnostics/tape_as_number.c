extern int enzyme_dup;
double __enzyme_augmentfwd(void *, ...);

static double f(double *x)
{
    double r = x[0] * x[1];
    x[0] = r;
    return r;
}

double both(double *x, double *bar)
{
    /* the tape comes first */
    return __enzyme_augmentfwd((void *)f, enzyme_dup, x, bar);
}
