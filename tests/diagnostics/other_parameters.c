// A function is called with other parameters than it is defined with.
extern double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) double scaled(float x, double y)
{
    return x * y;
}

double f(double x)
{
    return ((double (*)(double, float))scaled)(x, 2);
}

int main(void)
{
    return __enzyme_autodiff((void *)f, 1.5) > 0;
}
