// check: array n=7
// Arrays of several types grow by the same function, which knows none of them.
#include <math.h>
#include <stdlib.h>

struct counted { double v; long n; };
struct mixed { int k; float f; double w; };

__attribute__((noinline)) static void *resized(void *old, size_t count, size_t size)
{
    void *new = realloc(old, count * size);
    if (!new)
        abort();
    return new;
}

double objective(const double *x, int n)
{
    struct counted *a = NULL;
    struct mixed *b = NULL;
    double *c = NULL, sum = 0.0;
    for (int i = 0; i < n; i++) {
        a = resized(a, i + 1, sizeof *a);
        a[i].v = x[i] * x[1];
        a[i].n = i;
        b = resized(b, i + 1, sizeof *b);
        b[i].k = i;
        b[i].f = 0.5f * i;
        b[i].w = x[3] * x[i];
        c = resized(c, i + 1, sizeof *c);
        c[i] = sin(x[0] * i);
    }
    for (int i = 0; i < n; i++)
        sum += a[i].v * a[i].n + b[i].f * b[i].k * b[i].w + c[i];
    free(a);
    free(b);
    free(c);
    return sum;
}
