// check: main
// The derivative of a sum of derivatives, whose tapes are in one variable of the loop once the inner ones are inlined;
// also over a forward derivative of it.
#include <math.h>
extern int enzyme_const, enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double eval(double w, int n, double x)
{
    for (int k = 0; k < n; k++)
        x = sin(w * x);
    return x;
}
static double slope(double w, int n, double x)
{
    return __enzyme_autodiff((void *)eval, enzyme_const, w, n, x);
}
static double bend(double w, int n, double x)
{
    return __enzyme_fwddiff((void *)slope, enzyme_const, w, n, enzyme_dup, x, 1.0);
}
static double slopes(double w, int n, int m)
{
    double s = 0;
    for (int i = 0; i < m; i++)
        s += slope(w, n, .1 + i);
    return s;
}
static double bends(double w, int n, int m)
{
    double s = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            s += bend(w, j, .1 + i) * (j + 1);
    return s;
}

static int differs(double a, double b)
{
    return !(fabs(a - b) < 1e-6 * (1 + fabs(b)));
}

int main(void)
{
    const double h = 1e-5;
    for (int m = 1; m < 6; m++) {
        if (differs(__enzyme_autodiff((void *)slopes, .7, 3, m), (slopes(.7 + h, 3, m) - slopes(.7 - h, 3, m)) / 2 / h))
            return 1;
        if (differs(__enzyme_autodiff((void *)bends, .7, 4, m), (bends(.7 + h, 4, m) - bends(.7 - h, 4, m)) / 2 / h))
            return 2;
    }
    return 0;
}
