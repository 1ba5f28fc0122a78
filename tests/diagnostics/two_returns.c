#include <ucontext.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static ucontext_t here;

static double f(double a)
{
    volatile int again = 0;
    getcontext(&here);
    return again++ ? a : a * a;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5) > 0.0;
}
