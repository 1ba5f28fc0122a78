#include <stdint.h>

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static uintptr_t element(uintptr_t begin, int i)
{
    return begin + sizeof(double) * i;
}

static void f(double *x, double *y)
{
    *y = *(double *)element((uintptr_t)x, 1) * *x;
}

int main(void)
{
    double x[2] = {2.0, 3.0}, x_bar[2] = {0.0}, y, y_bar = 1.0;
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_dup, &y, &y_bar);
}
