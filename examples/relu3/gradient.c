/* The same derivative asked of the compiler. */
double relu3(double x);
double __enzyme_autodiff(double (*)(double), double);

double relu3_by_compiler(double x)
{
    return __enzyme_autodiff(relu3, x);
}
