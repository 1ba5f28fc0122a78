extern int enzyme_out;
extern double __enzyme_autodiff(void *, ...);

extern double *buffer(void);

static double f(double a)
{
    *buffer() = a * a;
    return *buffer() * 3.0;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5) > 0.0;
}
