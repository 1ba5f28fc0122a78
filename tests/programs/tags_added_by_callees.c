// check: array n=4,2
// Trees of cells with a tag in the low bits of a link, or in the high ones; helpers put words together whose tag they are given.
#include <stdint.h>
typedef struct cell { uintptr_t left, right; double val; } cell;
enum { LEAF, SUM, PRODUCT, SQUARE };
static cell pool[16];
static int used;
static uintptr_t tagged(const cell *to, unsigned tag) { return (uintptr_t)to | tag; }
static void link_up(cell *c, cell *left, cell *right, unsigned tag)
{
    c->left = (uintptr_t)left | tag;
    c->right = tagged(right, 0) | (uintptr_t)tag << 56;
}
static cell *leaf(double v) { cell *c = &pool[used++]; link_up(c, 0, 0, LEAF); c->val = v; return c; }
static cell *node(unsigned op, cell *l, cell *r) { cell *c = &pool[used++]; link_up(c, l, r, op); c->val = 0; return c; }
static const cell *left(const cell *c) { return (const cell *)(c->left & ~(uintptr_t)7); }
static const cell *right(const cell *c) { return (const cell *)(c->right << 8 >> 8); }
static double eval(const cell *c)
{
    switch (c->left & 7) {
    case LEAF: return c->val;
    case SUM: return eval(left(c)) + eval(right(c));
    case PRODUCT: return eval(left(c)) * eval(right(c));
    default: return eval(left(c)) * eval(left(c));
    }
}
double objective(double *x, int n)
{
    used = 0;
    cell *at = leaf(10 * x[0]);
    for (int i = 1; i < n; i++) at = node(1 + i % 3, at, leaf(x[i] + 0.1 * i));
    return eval(at) + (double)(at->right >> 56);
}
