extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

double gradient(double (*function)(double), double at)
{
    return __enzyme_autodiff((void *)function, enzyme_out, at);
}

int main(int argc, char **argv)
{
    return gradient((double (*)(double))(void *)argv, argc) > 0.0;
}
