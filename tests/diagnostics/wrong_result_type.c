extern int enzyme_out;
struct three {
    double a, b, c;
};
extern struct three __enzyme_autodiff(void *, ...);

static double f(double a, double b)
{
    return a * b;
}

int main(void)
{
    struct three r = __enzyme_autodiff((void *)f, enzyme_out, 1.0, enzyme_out, 2.0);
    return r.a > r.b;
}
