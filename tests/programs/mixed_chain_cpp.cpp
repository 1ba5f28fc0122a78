#include <cmath>

extern "C" double link_fortran(const double *v, const double *x, const int *n);

extern "C" double link_cpp(double v, const double *x, int n)
{
    double root = std::sqrt(v);
    return v * link_fortran(&root, x, &n);
}
