extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

extern double temperature;

__attribute__((noinline)) static void heat(double by)
{
    temperature *= by;
}

static double f(double a)
{
    temperature = a;
    for (int i = 0; i < 3; i++)
        heat(a);
    return temperature;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5) > 0.0;
}
