// check: array n=4
// Objects with numbers and pointers copied byte by byte, in the ways that people write it.
#include <math.h>
#include <stdint.h>
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

NOINLINE static void by_words(void *to, const void *from, size_t n)
{
    size_t at = 0;
    for (; at + 8 <= n; at += 8) {
        uint64_t word;
        memcpy(&word, (const char *)from + at, 8);
        memcpy((char *)to + at, &word, 8);
    }
    memcpy((char *)to + at, (const char *)from + at, n - at);
}

typedef struct {
    double *q;
    int n;
    int items[];
} Picked;

// Behind one another in one block of bytes, which moves as a whole.
static double in_block(double *x, int n)
{
    double own[4];
    for (int i = 0; i < 4; i++)
        own[i] = x[i] * (i + 1);
    char *block = calloc(1, 512);
    size_t top = 0;
    for (int i = 0; i < 3; i++) {
        Picked *r = (Picked *)(block + top);
        r->q = own + n % 2;
        r->n = i + 1;
        for (int j = 0; j <= i; j++)
            r->items[j] = j + 1;
        top += (sizeof(Picked) + r->n * sizeof(int) + 15) / 16 * 16;
    }
    char *moved = malloc(512);
    by_words(moved, block, top);
    free(block);
    double sum = 0;
    for (size_t at = 0; at < top;) {
        Picked *r = (Picked *)(moved + at);
        for (int j = 0; j < r->n; j++)
            sum += r->q[r->items[j] % 3] * own[j];
        at += (sizeof(Picked) + r->n * sizeof(int) + 15) / 16 * 16;
    }
    free(moved);
    return sum;
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
    by_words(a, c, bytes);
    sum += use(a) * in_block(x, n);
    free(buffer);
    free(a);
    free(b);
    free(c);
    return sum;
}
