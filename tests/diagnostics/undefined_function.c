extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

extern double measure(double);

static double f(double a)
{
    double twice = 2.0 * a;
    return measure(twice) * a;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5) > 0.0;
}
