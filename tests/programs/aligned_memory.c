// check: array n=6
// posix_memalign, aligned_alloc, calloc, realloc and alloca in one computation.
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

double objective(const double *x, int n)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, sizeof(double) * n))
        abort();
    double *a = memory, *b = aligned_alloc(32, 64), *c = calloc(n, sizeof *c), *d = alloca(sizeof(double) * n);
    for (int i = 0; i < n; i++) {
        a[i] = x[i] * x[i];
        b[i % 8] = a[i] + x[0];
        c[i] += b[i % 8] * a[i];
        d[i] = c[i] - x[i];
    }
    c = realloc(c, sizeof *c * 2 * n);
    memcpy(c + n, d, sizeof *d * n);
    double sum = 0.0;
    for (int i = 0; i < 2 * n; i++)
        sum += c[i] * (i + 1);
    free(a);
    free(b);
    free(c);
    return sum;
}
