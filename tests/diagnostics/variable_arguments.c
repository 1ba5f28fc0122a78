#include <stdarg.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static double sum(int count, ...)
{
    double total = 0.0;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += (double)va_arg(list, long double);
    va_end(list);
    return total;
}

static double f(double a)
{
    return sum(2, (long double)a, (long double)(a * a));
}

int main(void)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5) > 0.0;
}
