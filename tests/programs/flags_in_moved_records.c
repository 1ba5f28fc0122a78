// check: array n=3
// Flags that are changed beside numbers, in records of which the optimiser moves words.
#include <stdbool.h>
#include <stdlib.h>
#define NI __attribute__((noinline))
typedef struct { int key; bool hot; double dust; } layer;
typedef struct { short n; layer at[3]; } node;
static NI int by_key(const void *a, const void *b) { return ((const layer *)a)->key - ((const layer *)b)->key; }
static NI void add_dust(layer *a, const layer *b) { a->dust += b->dust * b->dust; a->hot = !a->hot; }
static NI void insert_into(node *p, const layer *v)
{
    int i = p->n - 1;
    for (; i >= 0 && v->key < p->at[i].key; i--)
        p->at[i + 1] = p->at[i];
    p->at[i + 1] = *v;
    p->n++;
}
static NI void put(node *p, layer v)
{
    layer *hit = bsearch(&v, p->at, (size_t)p->n, sizeof *p->at, by_key);
    if (hit)
        add_dust(hit, &v);
    else
        insert_into(p, &v);
}
double objective(double *x, int n)
{
    node *p = calloc(1, sizeof(node));
    for (int i = 0; i < 4; i++)
        put(p, (layer){i % 3, true, x[i % n]});
    double d = 0;
    for (int i = 0; i < p->n; i++)
        d += p->at[i].dust;
    free(p);
    return d;
}
