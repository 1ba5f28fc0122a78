// check: array n=6
// Memory made and given back two calls away, out of a struct.
#include <stdlib.h>

typedef struct { double *data; int length; } Buffer;

#define NOINLINE __attribute__((noinline)) static
NOINLINE double *take(int n) { return malloc(sizeof(double) * n); }
NOINLINE void give(double *p) { free(p); }
NOINLINE void init(Buffer *b, int n) { b->data = take(n); b->length = n; }
NOINLINE void clear(Buffer *b)
{
    if (b->data)
        give(b->data);
    b->data = NULL;
}
NOINLINE void finish(Buffer *b) { clear(b); }

double objective(const double *x, int n)
{
    Buffer a, b;
    init(&a, n);
    for (int i = 0; i < n; i++)
        a.data[i] = x[i] * x[i];
    init(&b, n);
    for (int i = 0; i < n; i++)
        b.data[i] = a.data[i] * x[n - 1 - i];
    finish(&a);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += b.data[i] * b.data[(i + 1) % n];
    finish(&b);
    return sum;
}
