#include <setjmp.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static jmp_buf escape;

static double checked(double a)
{
    if (a < 0.0)
        longjmp(escape, 1);
    return a * a;
}

static double f(double a)
{
    if (setjmp(escape))
        return a;
    return checked(a - 1.0);
}

int main(void)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5) > 0.0;
}
