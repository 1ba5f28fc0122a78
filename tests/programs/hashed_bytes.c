// check: array n=4
// What functions return of the bytes of numbers, and of characters and integers beside them, is no part of a number.
#include <stdint.h>

#define APART __attribute__((noinline))

struct entry {
    double value;
    char kind;
    uint8_t key[3];
    uint32_t hash;
};

APART static unsigned char get(const void *from, int at)
{
    return ((const unsigned char *)from)[at];
}

APART static uint32_t hash(const void *from, int n)
{
    uint32_t h = 2166136261u;
    for (int i = 0; i < n; i++)
        h = (h ^ get(from, i)) * 16777619u;
    return h;
}

APART static char kind(const struct entry *e)
{
    return e->kind;
}

APART static void fill(struct entry *e, const double *x, char kind)
{
    e->value = *x * *x;
    e->kind = kind;
    e->hash = hash(x, sizeof *x);
    for (int k = 0; k < 3; k++)
        e->key[k] = e->hash >> 8 * k;
}

APART static void copy(struct entry *to, const struct entry *from)
{
    fill(to, &from->value, kind(from));
}

double objective(const double *x, int n)
{
    struct entry first[8], second[8];
    double sum = 0;
    for (int i = 0; i < n; i++)
        fill(&first[i], &x[i], 'a' + i % 2);
    for (int i = 0; i < n; i++)
        copy(&second[i], &first[n - 1 - i]);
    for (int i = 0; i < n; i++)
        sum += second[i].value * (kind(&second[i]) == 'a' ? 1 + i : 3) * (1 + (second[i].hash == hash(&x[i], 8)));
    return sum;
}
