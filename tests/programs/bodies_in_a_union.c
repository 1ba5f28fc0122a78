// check: array n=2 range=0.3:1.7 lenient=1 tol=1e-3 step=0.02 identity=1e-5
// Leaves of a quadtree from a free list: a body where inner nodes have children.
#include <stdlib.h>
struct body { double mass, pos; };
struct quad { double cx, cy; float mass; int leaf; union { struct quad *child[2]; struct body *body; }; };
union slot { union slot *free; struct quad q; };
struct slab { union slot *slots, *free; int used; };
static struct quad *quad_new(struct slab *s, double cx)
{
    union slot *u = s->free;
    if (u) s->free = u->free; else u = &s->slots[s->used++];
    u->q = (struct quad){.cx = cx, .leaf = 1};
    return &u->q;
}
static void insert(struct slab *s, struct quad *q, struct body *b)
{
    if (!q->body) q->body = b;
    else {
        if (q->leaf) {
            struct body *old = q->body;
            q->child[0] = q->child[1] = NULL;
            q->leaf = 0; q->mass = 0;
            q->child[0] = quad_new(s, 0); insert(s, q->child[0], old);
        }
        int i = b->pos > q->cx;
        if (!q->child[i]) q->child[i] = quad_new(s, 0);
        insert(s, q->child[i], b);
    }
    q->mass += b->mass;
}
static double pull(const struct quad *q, struct body *b)
{
    return q->leaf ? q->mass * b->pos : q->mass + pull(q->child[0], b);
}
double objective(double *x, int n)
{
    struct slab slab = {calloc(16, sizeof(union slot)), NULL, 0};
    struct body b[2] = {{x[0], -x[1]}, {x[1], x[0]}};
    struct quad *root = quad_new(&slab, 0);
    for (int z = 0; z < n; z++) insert(&slab, root, &b[z]);
    double e = 0;
    e += pull(root, &b[0]);
    free(slab.slots);
    return e;
}
