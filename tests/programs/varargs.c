// check: array n=6
// Variadic functions of the program's own on active data: numbers and integers among the arguments, lists that are
// passed on and copied, a function that calls itself.
#include <math.h>
#include <stdarg.h>

static double pick(const double *x, int count, ...)
{
    va_list list;
    va_start(list, count);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        int k = va_arg(list, int);
        sum += x[k] * x[k] * (i + 1);
    }
    va_end(list);
    return sum;
}

static double norm(va_list list, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double v = va_arg(list, double);
        sum += v * v;
    }
    return sqrt(sum);
}

static double scaled(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    double length = norm(list, count), first = va_arg(again, double);
    va_end(again);
    va_end(list);
    return first / length;
}

/* One call for each letter: 'v' a number, 'i' an integer, 'p' where numbers are. */
static double mixed(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    double product = 1;
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'v': product *= va_arg(list, double); break;
        case 'i': product *= va_arg(list, int); break;
        default: product += *va_arg(list, const double *);
        }
    va_end(list);
    return product;
}

static double nested(int depth, ...)
{
    va_list list;
    va_start(list, depth);
    double a = va_arg(list, double), b = va_arg(list, double);
    va_end(list);
    return depth == 0 ? a * b : sin(a) + nested(depth - 1, b, a * 0.5);
}

double objective(double *x, int n)
{
    double sum = pick(x, 3, 0, 2, n - 1) + pick(x, 2, 1, 3);
    sum += scaled(4, x[0], x[1], x[2] * x[3], 1.5) * scaled(2, x[4], x[0]);
    sum += mixed("vivp", x[0], 3, x[1], &x[2]) * mixed("p", x + n - 1);
    return sum + nested(3, x[3], x[4]) * nested(0, x[1], x[5]);
}
