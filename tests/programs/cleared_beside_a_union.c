// check: array n=2 range=0.3:1.7 lenient=1 tol=1e-3 step=0.02 identity=1e-5
// An array in a struct is cleared as a whole, beside nodes from a union of a link and the node.
#include <stdlib.h>
#include <string.h>
struct body { double acc[2], pos, mass; };
struct quad { float mass; struct quad *child[2]; struct body *body; };
union slot { union slot *free; struct quad q; };
static struct quad *quad_new(union slot **next) { union slot *u = *next; *next = u->free; u->q = (struct quad){0}; return &u->q; }
static void insert(union slot **s, struct quad *q, struct body *b)
{
    if (!q->body) q->body = b;
    else { int i = b->pos > 0; insert(s, q->child[i] = quad_new(s), b); }
    q->mass = b->mass;
}
static void pull(const struct quad *q, struct body *b)
{
    if (!q) return; if (q->body == b) { pull(q->child[0], b); pull(q->child[1], b); }
    else b->acc[0] -= q->mass * b->pos;
}
double objective(double *x, int n)
{
    union slot *slots = calloc(16, sizeof *slots), *next = slots;
    for (int i = 0; i < 15; i++) slots[i].free = &slots[i + 1];
    struct body a = {{0}, 0, x[0]}, c = {{0}, 1, x[1]}, *b = n > 1 ? &c : &a;
    for (int step = 0; step < 2; step++) {
        struct quad *root = quad_new(&next);
        insert(&next, root, &a);
        memset(b->acc, 0, sizeof b->acc);
        pull(root, b);
        b->pos += 0.1 * b->acc[0];
    }
    free(slots);
    return b->pos;
}
