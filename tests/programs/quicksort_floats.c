// check: array n=8,1 real=float
// Floats and structs of floats sorted by qsort, largest first; a size that is known at run time only.
#include <math.h>
#include <stdlib.h>

typedef struct {
    float a, b;
    int id;
} three;

static int falling(const void *a, const void *b)
{
    float l = *(const float *)a, r = *(const float *)b;
    return (l < r) - (l > r);
}

static int by_b(const void *a, const void *b)
{
    const three *p = a, *q = b;
    return p->b < q->b ? -1 : p->b > q->b;
}

float objective(const float *x, int n)
{
    float *y = malloc(2 * n * sizeof *y), sum = 0.0f;
    three *all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++) {
        y[2 * i] = 20.0f * (i * 5 % 8) + sinf(2.0f * x[i]);
        y[2 * i + 1] = 20.0f * (i * 3 % 8) + 8.0f + x[i] * x[i];
        all[i] = (three){x[i], 5.0f * (i * 3 % 8) + cosf(2.0f * x[i]), i};
    }
    volatile size_t size = 2 * sizeof *y;
    qsort(y, n, size, falling);
    qsort(all, n, sizeof *all, by_b);
    for (int i = 0; i < n; i++)
        sum += (i + 1) * y[2 * i] * y[2 * i + 1] * 0.01f + all[i].a * all[i].b * (float)all[i].id * 0.25f;
    qsort(y, 2 * n, sizeof *y, falling);
    sum += y[0] * y[n] * 0.01f - y[n - 1];
    free(all);
    free(y);
    return sum;
}
