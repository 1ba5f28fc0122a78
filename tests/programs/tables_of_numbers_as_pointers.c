// check: array n=5,1 range=0.5:2.0 tol=1e-6
/* A growing list and a hash table of `void *`, in which numbers lie as such, and pointers to numbers. */
#include <stdlib.h>
#include <string.h>

struct list { void **items; int n, room; };
struct entry { int key; void *value; };
struct table { struct entry *entries; int room; };

__attribute__((noinline)) static void push(struct list *l, void *p)
{
    if (l->n == l->room)
        l->items = realloc(l->items, (l->room = l->room ? 2 * l->room : 2) * sizeof *l->items);
    l->items[l->n++] = p;
}

__attribute__((noinline)) static void *at(struct list *l, int i) { return l->items[i]; }

static struct entry *place(struct table *t, int key)
{
    int i = key * 7 % t->room;
    while (t->entries[i].key >= 0 && t->entries[i].key != key)
        i = (i + 1) % t->room;
    return &t->entries[i];
}

static void put(struct table *t, int key, void *value) { *place(t, key) = (struct entry){key, value}; }
static void *get(struct table *t, int key) { return place(t, key)->value; }

static void *boxed(double x)
{
    double *p = malloc(sizeof *p);
    *p = x;
    return p;
}

static void *packed(double x) { void *p; memcpy(&p, &x, sizeof p); return p; }
static double unpacked(void *p) { double x; memcpy(&x, &p, sizeof x); return x; }

double objective(double *x, int n)
{
    struct list l = {0};
    struct table t = {malloc(4 * n * sizeof *t.entries), 4 * n};
    for (int i = 0; i < t.room; i++)
        t.entries[i] = (struct entry){-1, NULL};
    for (int i = 0; i < n; i++) {
        put(&t, 2 * i, boxed(x[i]));
        put(&t, 2 * i + 1, packed(x[i] * x[i]));
        push(&l, packed(x[i] * 3));
    }
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *b = get(&t, 2 * i);
        s += *b * unpacked(get(&t, 2 * i + 1)) * unpacked(at(&l, n - 1 - i)) * (i + 1);
        free(b);
    }
    free(t.entries);
    free(l.items);
    return s;
}
