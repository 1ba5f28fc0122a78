// check: array n=6
// What a program does by the errors of mathematical functions, its derivatives do, too.
#include <errno.h>
#include <math.h>
#include <stdlib.h>

static double limited(double v)
{
    errno = 0;
    double y = exp(v);
    return errno == ERANGE ? v * v : y;
}

__attribute__((noinline)) static int has_failed(void)
{
    int failed = errno != 0;
    errno = 0;
    return failed;
}

double objective(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += limited(x[i] * (i & 1 ? 800 : 1));
        double v = i == 2 ? 2000 * x[i] : x[i];
        double y = sinh(v) + log(fabs(v) + 0.1);
        if (has_failed())
            y = x[i] * x[i] * x[i];
        sum += y;
        /* The slope by the exponent has the logarithm of zero in it, which the program does not ask for. */
        errno = 0;
        double z = pow(x[i] - (i == 2 ? x[2] : 0), x[0] + 1);
        sum += errno ? 7 * x[i] : z;
    }
    return sum;
}
