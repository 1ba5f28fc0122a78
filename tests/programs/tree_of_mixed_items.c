// check: array n=9 identity=1e-6 tol=1e-4
#include <stdlib.h>
#include <string.h>
struct item { double key; float value; };
struct node { int count; struct item items[4]; struct node *child[5]; };
static struct node *fresh(void) { return calloc(1, sizeof(struct node)); }
static void insert(struct node *n, double key, float value)
{
    int at = 0;
    while (at < n->count && n->items[at].key < key) at++;
    if (n->count == 4) { if (!n->child[at]) n->child[at] = fresh(); insert(n->child[at], key, value); return; }
    memmove(&n->items[at + 1], &n->items[at], (n->count - at) * sizeof n->items[0]);
    memmove(&n->child[at + 1], &n->child[at], (n->count + 1 - at) * sizeof n->child[0]);
    n->items[at].key = key; n->items[at].value = value; n->child[at] = 0; n->count++;
}
static double total(const struct node *n, double w)
{
    if (!n) return 0;
    double s = 0;
    for (int i = 0; i < n->count; i++) s += n->items[i].key * n->items[i].value * w + total(n->child[i], w * 0.5);
    return s + total(n->child[n->count], w * 0.7);
}
static void drop(struct node *n) { if (n) { for (int i = 0; i < 5; i++) drop(n->child[i]); free(n); } }
double objective(double *x, int n)
{
    struct node *root = fresh();
    for (int i = 0; i < n; i++) insert(root, x[i] * (i % 3 + 1), (float)(x[i] * x[i]));
    double s = total(root, 1.0);
    drop(root);
    return s;
}
