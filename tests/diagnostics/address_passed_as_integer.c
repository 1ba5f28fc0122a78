#include <stdint.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

/* Elsewhere; what it is given is the address of numbers. */
double total(uintptr_t x, int n);

static double f(const double *x)
{
    return total((uintptr_t)x, 3);
}

int main(void)
{
    double x[3] = {1, 2, 3}, x_bar[3] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar);
}
