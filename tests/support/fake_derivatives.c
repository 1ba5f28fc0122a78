/* Hand-written stand-ins for what the link step generates, for one program: the harness is checked with them. */
#include <stdarg.h>
#include <stdlib.h>

int enzyme_const, enzyme_dup;

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * (i + 1);
    return sum;
}

void __enzyme_autodiff(void *function, ...)
{
    va_list arguments;
    va_start(arguments, function);
    (void)va_arg(arguments, int);
    double *x = va_arg(arguments, double *), *x_bar = va_arg(arguments, double *);
    (void)va_arg(arguments, int);
    const int n = va_arg(arguments, int);
    va_end(arguments);
    for (int i = 0; i < n; i++) {
#if defined(FAULT_ASSIGN)
        x_bar[i] = 2.0 * x[i] * (i + 1);
#elif defined(FAULT_SMALL)
        x_bar[i] += 2.00001 * x[i] * (i + 1);
#else
        x_bar[i] += 2.0 * x[i] * (i + 1);
#endif
    }
#ifdef FAULT_CLOBBER
    x[n / 2] += 1e-9;
#endif
#ifdef FAULT_LEAK
    static void *volatile kept;
    kept = malloc(24);
#endif
#ifdef FAULT_OVERRUN
    x_bar[n] += 1.0;
#endif
}

double __enzyme_fwddiff(void *function, ...)
{
    va_list arguments;
    va_start(arguments, function);
    (void)va_arg(arguments, int);
    const double *x = va_arg(arguments, double *), *x_dot = va_arg(arguments, double *);
    (void)va_arg(arguments, int);
    const int n = va_arg(arguments, int);
    va_end(arguments);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += 2.0 * x[i] * (i + 1) * x_dot[i];
#ifdef FAULT_FORWARD
    sum *= 1.0 + 1e-8;
#endif
    return sum;
}
