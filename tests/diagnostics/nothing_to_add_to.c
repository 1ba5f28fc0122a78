// Shadows and tapes that are no memory, shadows that are all the same, and options that mean nothing there.
#include <stddef.h>
extern int enzyme_dup, enzyme_dupv, enzyme_const, enzyme_out, enzyme_width, enzyme_seed, enzyme_allocated;
extern double __enzyme_autodiff(void *, ...);
extern void *__enzyme_autodiff_pointer(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
double sum(double *x, int n) { return n ? x[0] * x[n - 1] : 0; }
double square(double x) { return x * x; }
int main(void)
{
    double x[2] = {2, 3}, bar[2] = {0};
    __enzyme_autodiff((void *)sum, enzyme_dup, x, (double *)0, enzyme_const, 2);
    __enzyme_autodiff((void *)sum, enzyme_dup, NULL, NULL, enzyme_const, 0);
    __enzyme_autodiff((void *)sum, enzyme_width, 2, enzyme_dupv, 0, x, bar, enzyme_const, 2);
    void *tape = __enzyme_augmentfwd((void *)square, enzyme_seed, 2.0, enzyme_out, 2.0);
    tape = __enzyme_augmentfwd((void *)square, enzyme_allocated, 256, enzyme_out, 2.0);
    __enzyme_reverse((void *)square, enzyme_out, 2.0, 1.0, NULL);
    return tape == __enzyme_autodiff_pointer((void *)square, enzyme_out, 2.0);
}
