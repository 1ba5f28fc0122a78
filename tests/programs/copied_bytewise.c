// check: array n=4
// Objects with numbers and pointers copied byte by byte, in the ways that people write it.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

typedef struct {
    int n;
    char name[5];
    double v;
    double *q;
    double items[];
} Run;

NOINLINE static void by_index(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

NOINLINE static void by_pointers(void *to, const void *from, size_t n)
{
    char *d = to;
    const char *s = from;
    while (n--)
        *d++ = *s++;
}

NOINLINE static void *behind(void *to, const void *from, int n)
{
    char *d = to;
    const char *s = from;
    while (n-- > 0)
        *d++ = *s++;
    return d;
}

NOINLINE static void to_the_end(void *to, const void *from, unsigned n)
{
    unsigned char *d = to;
    const unsigned char *s = from, *e = s + n;
    for (; s != e; ++s, ++d)
        *d = *s;
}

NOINLINE static void at_least_one(void *to, const void *from, size_t n)
{
    char *d = to;
    const char *s = from;
    do
        *d++ = *s++;
    while (--n);
}

NOINLINE static void below(void *to, const void *from, size_t n)
{
    char *d = to, *e = d + n;
    const char *s = from;
    while (d < e)
        *d++ = *s++;
}

NOINLINE static size_t piece(char *to, size_t at, const void *from, int n)
{
    const char *s = from;
    int i = 0;
    for (; i < n; i++)
        to[at + i] = s[i];
    return at + i;
}

NOINLINE static unsigned downward(void *to, const void *from, size_t n)
{
    unsigned check = 0;
    while (n--) {
        ((char *)to)[n] = ((const char *)from)[n];
        check += ((const unsigned char *)from)[n];
    }
    return check;
}

NOINLINE static void from_the_end(void *to, const void *from, size_t n)
{
    char *d = (char *)to + n;
    const char *s = (const char *)from + n;
    while (d > (char *)to)
        *--d = *--s;
}

static Run *fresh(const double *x, double *q, int n)
{
    Run *r = malloc(sizeof *r + n * sizeof(double));
    *r = (Run){.n = n, .name = "run", .v = x[0] * x[1], .q = q};
    for (int i = 0; i < n; i++)
        r->items[i] = x[i % 4] * (i + 1);
    return r;
}

static double use(const Run *r)
{
    double sum = r->v * r->q[1] * (r->name[0] == 'r');
    for (int i = 0; i < r->n; i++)
        sum += sin(r->items[i]) * r->q[i % 4];
    return sum;
}

double objective(double *x, int m)
{
    int n = m - 1;
    size_t bytes = sizeof(Run) + n * sizeof(double);
    Run *a = fresh(x, x, n), *b = malloc(bytes), *c = calloc(1, bytes);
    by_index(b, a, bytes);
    double sum = use(b);
    a->v = x[2];
    by_pointers(b, a, bytes);
    b->items[1] *= x[3];
    sum += use(b);
    char *end = behind(c, b, (int)bytes);
    sum += use(c) + ((double *)end)[-1];
    c->q = x + 1 - (n > 3);
    to_the_end(a, c, bytes);
    a->items[0] = x[1] * x[1];
    at_least_one(b, a, bytes);
    sum += 0.5 * b->items[0] * b->q[2];
    below(c, b, bytes);
    sum += c->items[0] * c->items[1];
    char *buffer = malloc(3 * bytes);
    size_t at = 0;
    for (int k = 0; k < 3; k++) {
        c->v += x[k];
        at = piece(buffer, at, c, (int)bytes);
    }
    by_index(a, buffer + at - bytes, bytes);
    by_index(a, a, bytes);
    sum += a->v * a->q[1];
    c->v = x[0] * x[2];
    sum += downward(b, c, bytes) > 0 ? use(b) : 0;
    b->items[0] *= x[1];
    from_the_end(c, b, bytes);
    from_the_end(buffer + 8, b, bytes);
    memmove(buffer, buffer + 8, bytes);
    sum += use(c) * use((Run *)buffer);
    free(buffer);
    free(a);
    free(b);
    free(c);
    return sum;
}
