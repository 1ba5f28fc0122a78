extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static double f(double a)
{
    double root;
    __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(a));
    return root * a;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, enzyme_out, 1.5) > 0.0;
}
