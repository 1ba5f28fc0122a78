// check: array n=3 refused=E0110
// A loop that copies bytes and counts them in memory: pointers among them have no shadow.
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
struct view { int n; double *where; double *items[]; };
static int counts[256];

NOINLINE static void copy(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
        counts[((const unsigned char *)from)[i]]++;
    }
}

double objective(double *x, int n)
{
    size_t size = sizeof(struct view) + n * sizeof(double *);
    struct view *a = malloc(size), *b = malloc(size);
    a->n = n;
    a->where = x;
    for (int i = 0; i < n; i++)
        a->items[i] = x + i;
    copy(b, a, size);
    double sum = 0;
    for (int i = 0; i < b->n; i++)
        sum += *b->items[i] * b->where[0];
    free(a);
    free(b);
    return sum;
}
