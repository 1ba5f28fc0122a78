extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_vector;
extern long __enzyme_augmentsize(void *, ...);
extern double __enzyme_autodiff(void *, ...);

static double f(const double *x, double y)
{
    return x[0] * y;
}

int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0, 0};
    __enzyme_autodiff((void *)f, enzyme_vector, x, x_bar, enzyme_out, 1.0);
    return __enzyme_augmentsize((void *)f, enzyme_dup) > 0;
}
