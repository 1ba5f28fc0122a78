extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

extern double elsewhere(double);

int main(void)
{
    return __enzyme_autodiff((void *)elsewhere, enzyme_out, 1.5) > 0.0;
}
