// check: array n=6
// Integers of every kind beside numbers, changed by functions that get the whole struct: counters before arrays, flags, packed
// fields, hashes for lookup, the state of a random generator, tags of unions, short texts, boxed values.
#include <stdint.h>
#include <string.h>

#define APART __attribute__((noinline))

struct series {
    uint64_t used;
    int32_t flags, changes;
    double values[8];
};

APART static void append(struct series *s, double value)
{
    s->values[s->used] = value;
    s->used += 1;
    s->changes++;
    s->flags |= value > 1 ? 2 : 4;
    s->flags ^= 1;
}

struct packed {
    double weight;
    unsigned kind : 3, count : 13;
    unsigned long id : 40;
};

APART static void pack(struct packed *p, double weight, int i)
{
    p->weight = weight * weight;
    p->kind = i % 3;
    p->count = 2 * i + 1;
    p->id = (unsigned long)i << 33;
    p->count += p->kind;
    p->id++;
}

struct entry {
    uint64_t key;
    double value;
};

APART static uint64_t hash(double at)
{
    uint64_t h;
    memcpy(&h, &at, sizeof h);
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 29;
    return h;
}

APART static struct entry *find(struct entry *table, uint64_t key)
{
    uint64_t at = key % 16;
    while (table[at].key && table[at].key != key)
        at = (at + 1) % 16;
    table[at].key = key;
    return &table[at];
}

struct walk {
    double at;
    uint64_t state;
    double step;
};

APART static double next(struct walk *w)
{
    w->state ^= w->state << 13;
    w->state ^= w->state >> 7;
    w->state ^= w->state << 17;
    w->at += w->step * (double)(w->state >> 11) * 0x1p-53;
    return w->at;
}

APART static double unit(struct walk *w)
{
    w->state = w->state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t bits = w->state >> 12 | 0x3ff0000000000000u;
    double one;
    memcpy(&one, &bits, sizeof one);
    w->at += w->step * (one - 1);
    return w->at;
}

struct tagged {
    int kind;
    union {
        int64_t whole;
        double real;
    } as;
};

APART static void set_real(struct tagged *t, double value)
{
    t->kind = 1;
    t->as.real = value;
}

APART static void set_whole(struct tagged *t, int64_t value)
{
    t->kind = 0;
    t->as.whole = value;
}

APART static double get(const struct tagged *t)
{
    return t->kind ? t->as.real : (double)t->as.whole;
}

struct named {
    union {
        char here[16];
        char *there;
    } text;
    uint8_t length;
    double value;
};

APART static void name(struct named *n, const char *text)
{
    n->length = 0;
    while (text[n->length] && n->length < 15) {
        n->text.here[n->length] = text[n->length];
        n->length++;
    }
    n->text.here[n->length] = 0;
}

double objective(const double *x, int n)
{
    struct series s = {0};
    struct packed packed[8];
    struct entry table[16] = {0};
    struct walk w = {x[0], 88172645463325252u, x[1]};
    struct tagged tagged[8];
    struct named named = {.value = x[2] * x[2]};
    double sum = 0;
    for (int i = 0; i < n; i++) {
        append(&s, x[i] * x[n - 1 - i]);
        pack(&packed[i], x[i], i);
        find(table, hash(x[i]))->value = x[i] * (i + 1);
        if (i % 2)
            set_real(&tagged[i], x[i]);
        else
            set_whole(&tagged[i], i);
    }
    name(&named, "forces");
    for (int i = 0; i < n; i++) {
        sum += s.values[i] * s.used + packed[i].weight * packed[i].count + next(&w) * x[i] + unit(&w);
        sum += find(table, hash(x[i]))->value * x[i] + get(&tagged[i]) * get(&tagged[n - 1 - i]);
    }
    return sum + named.value * named.length + s.flags * s.changes * x[3];
}
