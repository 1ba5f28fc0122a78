extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

typedef double (*law)(double);

static double f(double a, law function)
{
    return function(a) * a;
}

int main(int argc, char **argv)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5, enzyme_const, (law)(void *)argv) > 0.0;
}
