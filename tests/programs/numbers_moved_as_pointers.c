// check: array n=5,1 range=0.5:1.9 tol=1e-6
/* Functions that are not inlined move `void *` of which they do not know that some are numbers: swaps, queues of callbacks
   with their data, a slot that is taken and cleared, a copied and reversed list. */
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static void *packed(double x) { void *p; memcpy(&p, &x, sizeof p); return p; }
static double unpacked(const void *p) { double x; memcpy(&x, &p, sizeof x); return x; }

APART static void swap(void **a, void **b)
{
    void *old = *a;
    *a = *b;
    *b = old;
}

struct keep { void *now, *before; };
APART static void take(struct keep *k)
{
    k->before = k->now;
    k->now = NULL;
}

struct task { double (*call)(void *); void *data; };
static double squared(void *data) { return unpacked(data) * unpacked(data); }
static double first(void *data) { return *(double *)data; }
APART static void next(struct task *to, const struct task *from)
{
    to->call = from->call;
    to->data = from->data;
}

struct node { void *data; struct node *next; };
APART static struct node *copy(const struct node *l)
{
    if (!l)
        return NULL;
    struct node *new = malloc(sizeof *new);
    new->data = l->data;
    new->next = copy(l->next);
    return new;
}

static double total(struct node *l)
{
    double sum = 0;
    for (int i = 1; l; i++) {
        struct node *next = l->next;
        sum += unpacked(l->data) * i;
        free(l);
        l = next;
    }
    return sum;
}

double objective(double *x, int n)
{
    void *slots[5];
    struct keep k = {NULL, NULL};
    struct node *list = NULL;
    double sum = 0;
    for (int i = 0; i < n; i++)
        slots[i] = packed(x[i] * x[0]);
    for (int i = 0; i + 1 < n; i++)
        swap(&slots[i], &slots[i + 1]);
    for (int i = 0; i < n; i++) {
        struct task made[2] = {{squared, packed(x[i] * 0.5)}, {first, &x[i]}}, taken;
        struct node *new = malloc(sizeof *new);
        k.now = packed(x[i] * x[n - 1]);
        take(&k);
        next(&taken, &made[i % 2]);
        *new = (struct node){packed(x[i] * 3), list};
        list = new;
        sum += unpacked(slots[i]) * (i + 1) + unpacked(k.before) * x[i] + taken.call(taken.data);
    }
    return sum + total(copy(list)) * total(list);
}
