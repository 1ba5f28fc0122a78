extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_vector, enzyme_scalar;
extern double __enzyme_batch(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

static double f(const double *x, double y)
{
    return x[0] * y;
}

int main(void)
{
    double x[2] = {2, 3}, first[2] = {1, 0}, second[2] = {0, 1};
    __enzyme_fwddiff((void *)f, enzyme_width, 3, enzyme_dup, x, first, second, enzyme_const, 1.0);
    __enzyme_batch((void *)f, enzyme_width, 2, enzyme_vector, x, enzyme_scalar, 1.0);
    return 0;
}
