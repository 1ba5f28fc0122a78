// check: main
// The function to differentiate given by the address of a variable that holds its address.
#include <stdio.h>

typedef double (*law)(double);
double __enzyme_autodiff_const(const law *, double);
double __enzyme_autodiff_local(law *, double);
double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static const law chosen = cube;

int main(void)
{
    law local = square;
    double of_local = __enzyme_autodiff_local(&local, 3.0);
    double tangent = __enzyme_fwddiff((void *)&local, 3.0, 2.0);
    double of_constant = __enzyme_autodiff_const(&chosen, 3.0);
    printf("%g %g %g\n", of_local, tangent, of_constant);
    return !(of_local == 6.0 && tangent == 12.0 && of_constant == 27.0);
}
