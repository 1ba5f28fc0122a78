// check: array n=2 refused=E0142
// Numbers that reach memory through a variadic function which is called by its address.
#include <stdarg.h>
typedef void adder(double *, int, ...);
static void add(double *to, int count, ...)
{
    va_list ap;
    va_start(ap, count);
    for (int k = 0; k < count; k++)
        *to += va_arg(ap, double);
    va_end(ap);
}
static double run(const double *x, adder *t)
{
    double y = x[0] * x[1], s = 0.0;
    t(&s, 2, y, y * y);
    return s;
}
double objective(double *x, int n)
{
    return run(x, n > 1 ? add : 0);
}
