/* A quadtree whose nodes come from a free list: SLOT is the type of what is listed, LINK(s) the next one, NODE(s) the node
   in its place. */
#include <stdlib.h>
#include <string.h>
struct body { double acc[2], pos, mass; };
struct quad { float mass; struct quad *child[2]; struct body *body; };
union slot { union slot *free; struct quad q; };
static struct quad *quad_new(SLOT **next) { SLOT *s = *next; *next = LINK(s); NODE(s) = (struct quad){0}; return &NODE(s); }
static void insert(SLOT **s, struct quad *q, struct body *b)
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
    SLOT *slots = calloc(16, sizeof *slots), *next = slots;
    for (int i = 0; i < 15; i++) LINK(&slots[i]) = &slots[i + 1];
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
