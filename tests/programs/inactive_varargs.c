// check: array n=5
// A variadic function of the program's own that chooses by integers and formats text.
#include <stdarg.h>
#include <stdio.h>

static int choose(int count, ...)
{
    va_list list;
    va_start(list, count);
    int best = -1;
    for (int i = 0; i < count; i++) {
        int v = va_arg(list, int);
        if (v > best)
            best = v;
    }
    va_end(list);
    return best;
}

static int format(char *to, size_t size, const char *text, ...)
{
    va_list list;
    va_start(list, text);
    int length = vsnprintf(to, size, text, list);
    va_end(list);
    return length;
}

double objective(const double *x, int n)
{
    char line[80];
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[choose(3, i - 1, (2 * i) % n, 1)];
    int length = format(line, sizeof line, "sum of %d products: %.3f", n, sum);
    return length > 0 ? sum * sum : sum;
}
