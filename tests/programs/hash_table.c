// check: array n=9
// A chained hash table from strings to numbers, with growth and rehashing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry { char key[12]; double value; struct Entry *next; } Entry;
typedef struct { Entry **buckets; unsigned size, used; } Table;

static unsigned hash(const char *s)
{
    unsigned h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static void grow(Table *t)
{
    unsigned size = t->size * 2;
    Entry **buckets = calloc(size, sizeof *buckets);
    for (unsigned i = 0; i < t->size; i++)
        for (Entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[hash(e->key) % size];
            buckets[hash(e->key) % size] = e;
        }
    free(t->buckets);
    t->buckets = buckets;
    t->size = size;
}

static double *at(Table *t, const char *key)
{
    for (Entry *e = t->buckets[hash(key) % t->size]; e; e = e->next)
        if (!strcmp(e->key, key))
            return &e->value;
    if (++t->used > t->size)
        grow(t);
    Entry *e = malloc(sizeof *e);
    strcpy(e->key, key);
    e->value = 1.0;
    e->next = t->buckets[hash(key) % t->size];
    t->buckets[hash(key) % t->size] = e;
    return &e->value;
}

double objective(const double *x, int n)
{
    Table t = {calloc(2, sizeof(Entry *)), 2, 0};
    char key[12];
    for (int i = 0; i < 2 * n; i++) {
        snprintf(key, sizeof key, "k%d", i % 6);
        *at(&t, key) *= x[i % n] + 0.1 * i;
    }
    double sum = *at(&t, "k1") * *at(&t, "k5") + *at(&t, "new");
    for (unsigned i = 0; i < t.size; i++)
        for (Entry *e = t.buckets[i], *next; e; e = next) {
            sum += e->value * (double)strlen(e->key);
            next = e->next;
            free(e);
        }
    free(t.buckets);
    return sum;
}
