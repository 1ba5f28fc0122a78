// check: main
// Derivatives of functions of the C library themselves: of one number, of two, with several results.
#include <math.h>
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
typedef struct {
    double x, y;
} two;
extern two __enzyme_autodiff_two(void *, ...);
extern float __enzyme_autodiff_float(void *, ...);

static int differs(double a, double b)
{
    return !(fabs(a - b) < 1e-12 * (1 + fabs(b)));
}

static double slope(double x)
{
    return __enzyme_autodiff((void *)sin, x);
}

int main(void)
{
    const double x = .7, y = 1.3;
    if (differs(__enzyme_autodiff((void *)sin, x), cos(x)) || differs(__enzyme_fwddiff((void *)exp, x, 2.0), 2 * exp(x)))
        return 1;
    two g = __enzyme_autodiff_two((void *)pow, x, y);
    if (differs(g.x, y * pow(x, y - 1)) || differs(g.y, pow(x, y) * log(x)))
        return 2;
    if (differs(__enzyme_autodiff((void *)pow, x, enzyme_const, y), y * pow(x, y - 1)))
        return 3;
    if (fabs(__enzyme_autodiff_float((void *)tanhf, .5f) - (1 - tanhf(.5f) * tanhf(.5f))) > 1e-6)
        return 4;
    int e = 0;
    if (differs(__enzyme_autodiff((void *)frexp, 3.0, enzyme_const, &e), .25))
        return 5;
    if (differs(__enzyme_autodiff((void *)slope, x), -sin(x)))
        return 6;
    return 0;
}
