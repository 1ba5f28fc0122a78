// check: array n=6,1,3
// Arrays of variable length in nested loops, left by goto and break; assumptions; variadic helpers of constants.
#include <math.h>
#include <stdarg.h>

static int largest(int count, ...)
{
    va_list list;
    int result = 0;
    va_start(list, count);
    while (count--) {
        int value = va_arg(list, int);
        result = value > result ? value : result;
    }
    va_end(list);
    return result;
}

double objective(const double *x, int n)
{
    double sum = 0.0;
    __builtin_assume(n > 0);
    for (int size = 1; size <= n; size++) {
        double work[size];
        for (int i = 0; i < size; i++)
            work[i] = i ? work[i - 1] * x[i] : x[0];
        for (int i = 0; i < size; i++) {
            double inner[largest(3, i, size - i, 2)];
            for (int k = 0; k < largest(3, i, size - i, 2); k++)
                inner[k] = work[i] * x[(k + i) % n] + (k ? inner[k - 1] : 0.0);
            sum += sin(inner[largest(2, i, 1) - 1]);
            if (sum > 5.0)
                goto enough;
            work[i] = inner[0] * sum;
        }
        sum += work[size - 1];
        continue;
    enough:
        sum = 0.5 * sum + work[0];
    }
    return sum;
}
