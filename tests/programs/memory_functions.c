// check: array n=8
// memcpy, memmove with overlap, and memset of active memory.
#include <stdlib.h>
#include <string.h>

double objective(const double *x, int n)
{
    double *a = malloc(sizeof(double) * 2 * n);
    memcpy(a, x, sizeof(double) * n);
    memcpy(a + n, x, sizeof(double) * n);
    for (int i = 0; i < n; i++)
        a[i] *= a[i];
    memmove(a + 2, a, sizeof(double) * (2 * n - 2));
    double sum = a[0] * a[3];
    memset(a, 0, sizeof(double) * 3);
    for (int i = 0; i < 2 * n; i++)
        sum += a[i] * (i + 1) + a[i] * a[(i + 5) % (2 * n)];
    free(a);
    return sum;
}
