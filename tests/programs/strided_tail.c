// check: array n=7,5,2,1,0
// Memory copied as a whole, then read with a stride that does not divide its length.
#include <stdlib.h>
#include <string.h>

double objective(const double *x, int n)
{
    double *w = malloc(sizeof(double) * n + 1), sum = 0.0;
    memcpy(w, x, sizeof(double) * n);
    double *p = w;
    for (int i = 0; i < n; i += 2, p += 2)
        *p *= *p;
    p = w;
    for (int i = 0; i < n; i += 3, p += 3)
        sum += (i + 1) * *p;
    free(w);
    return sum;
}
