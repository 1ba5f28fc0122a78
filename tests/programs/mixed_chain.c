// check: array n=7,1 with=mixed_chain_cpp.cpp,mixed_chain_fortran.f90,mixed_chain_rust.rs
// One function through four languages: C calls C++, which calls Fortran, which calls Rust, for each element.
#include <math.h>

double link_cpp(double v, const double *x, int n);

double objective(double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sin(link_cpp(x[i], x, n));
    return sum;
}
