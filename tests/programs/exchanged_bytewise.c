// check: array n=4
// A sort of elements of any size, which exchanges them byte by byte, and a reversal of them.
#include <math.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
struct item { int kind; double value; double *where; char name[3]; };

static void exchange(void *a, void *b, size_t size)
{
    char *p = a, *q = b;
    for (size_t i = 0; i < size; i++) {
        char t = p[i];
        p[i] = q[i];
        q[i] = t;
    }
}

NOINLINE static void exchange_by_pointers(void *a, void *b, size_t size)
{
    unsigned char *p = a, *q = b;
    while (size--) {
        unsigned char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}

static void sort(void *base, size_t n, size_t size, int (*less)(const void *, const void *))
{
    char *at = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && less(at + j * size, at + (j - 1) * size); j--)
            exchange(at + j * size, at + (j - 1) * size, size);
}

static void reverse(void *base, size_t n, size_t size)
{
    char *at = base;
    for (size_t i = 0; i < n / 2; i++)
        exchange_by_pointers(at + i * size, at + (n - 1 - i) * size, size);
}

static int by_value(const void *a, const void *b) { return ((struct item *)a)->value < ((struct item *)b)->value; }
static int down(const void *a, const void *b) { return *(double *)a > *(double *)b; }

double objective(double *x, int n)
{
    struct item *items = malloc(2 * n * sizeof *items);
    double *values = malloc(2 * n * sizeof *values);
    for (int i = 0; i < 2 * n; i++) {
        items[i] = (struct item){i, sin(3.0 * i) * x[i % n], x + (i * 3 + 1) % n, "ab"};
        values[i] = cos(2.0 * i) * x[(i + 1) % n];
    }
    sort(items, 2 * n, sizeof *items, by_value);
    sort(values, 2 * n, sizeof *values, down);
    double sum = 0;
    for (int i = 0; i < 2 * n; i++)
        sum += (i + 1) * items[i].value * *items[i].where + items[i].kind * values[i] * (items[i].name[1] == 'b');
    reverse(items, 2 * n, sizeof *items);
    reverse(values, 2 * n, sizeof *values);
    for (int i = 0; i < 2 * n; i++)
        sum += (i + 2) * items[i].value * values[i] * values[i];
    free(items);
    free(values);
    return sum;
}
