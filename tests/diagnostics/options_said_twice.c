extern int enzyme_seed, enzyme_nofree;
extern double __enzyme_autodiff(void *, ...);

static double f(double x)
{
    return x * x;
}

int main(void)
{
    double r = __enzyme_autodiff((void *)f, enzyme_seed, 2.0, 1.5, enzyme_seed, 3.0);
    return r + __enzyme_autodiff((void *)f, enzyme_nofree, 1.5) > 0.0;
}
