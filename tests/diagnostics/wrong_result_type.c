extern int enzyme_out, enzyme_const;
struct three {
    double a, b, c;
};
extern struct three __enzyme_autodiff(void *, ...);

extern long __enzyme_autodiff_integer(void *, ...);

static double f(double a, double b)
{
    return a * b;
}

int main(void)
{
    struct three r = __enzyme_autodiff((void *)f, enzyme_out, 1.0, enzyme_out, 2.0);
    if (__enzyme_autodiff_integer((void *)f, enzyme_out, 1.0, enzyme_const, 2.0))
        return 2;
    return r.a > r.b;
}
