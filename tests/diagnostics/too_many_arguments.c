extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static double f(const double *x)
{
    return x[0] * x[0];
}

int main(void)
{
    double x[2] = {1.0, 2.0}, bar[2] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, 3);
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_out);
    return 0;
}
