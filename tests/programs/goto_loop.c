// check: array n=6
// goto backwards, out of two loops, and to a common clean-up.
#include <stdlib.h>

double objective(const double *x, int n)
{
    double *copy = malloc(n * sizeof *copy), result = 0.0;
    int i = 0;
again:
    copy[i] = x[i] * (i ? copy[i - 1] : 1.0);
    if (++i < n)
        goto again;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            result += copy[a] * copy[b];
            if (result > 9.0)
                goto done;
        }
    result *= 2.0;
done:
    free(copy);
    return result;
}
