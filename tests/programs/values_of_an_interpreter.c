// check: array n=6 range=0.4:1.5
// A small interpreter: values are numbers, counts or vectors, passed and returned by value, and evaluated recursively.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
struct vec { int refs, len; double at[]; };
typedef struct {
    enum { NUM, INT, VEC } tag;
    union { double d; int64_t i; struct vec *v; };
} value;
enum op { VAR, COUNT, LIST, ADD, MUL, DOT, NTH };
struct node { enum op op; int64_t k; struct node *a, *b; };
static struct node *node(enum op op, int64_t k, struct node *a, struct node *b)
{
    struct node *e = malloc(sizeof *e);
    *e = (struct node){op, k, a, b};
    return e;
}
static void drop(value v)
{
    if (v.tag == VEC && --v.v->refs == 0)
        free(v.v);
}
static double number(value v) { return v.tag == NUM ? v.d : v.tag == INT ? (double)v.i : v.v->at[0]; }
static value eval(const struct node *e, const double *x, int n)
{
    switch (e->op) {
    case VAR: return (value){NUM, {.d = x[e->k % n]}};
    case COUNT: return (value){INT, {.i = e->k}};
    case LIST: {
        struct vec *v = malloc(sizeof *v + (size_t)n * sizeof(double));
        v->refs = 1, v->len = n;
        for (int i = 0; i < n; i++)
            v->at[i] = x[i] * (double)(i + e->k);
        return (value){VEC, {.v = v}};
    }
    default: break;
    }
    value a = eval(e->a, x, n), b = eval(e->b, x, n), r = {NUM, {.d = 0}};
    switch (e->op) {
    case ADD:
        if (a.tag == INT && b.tag == INT)
            r = (value){INT, {.i = a.i + b.i}};
        else if (a.tag == VEC && b.tag != VEC) {
            for (int i = 0; i < a.v->len; i++)
                a.v->at[i] += number(b);
            a.v->refs++;
            r = a;
        } else
            r.d = number(a) + number(b);
        break;
    case MUL: r.d = number(a) * number(b); break;
    case DOT:
        for (int i = 0; i < a.v->len && i < b.v->len; i++)
            r.d += a.v->at[i] * b.v->at[i];
        break;
    case NTH: r.d = a.v->at[b.i % a.v->len]; break;
    default: break;
    }
    drop(a);
    drop(b);
    return r;
}
static void dispose(struct node *e)
{
    if (!e)
        return;
    dispose(e->a);
    dispose(e->b);
    free(e);
}
double objective(double *x, int n)
{
    struct node *e = node(ADD, 0,
        node(DOT, 0, node(ADD, 0, node(LIST, 2, 0, 0), node(VAR, 1, 0, 0)), node(LIST, 1, 0, 0)),
        node(MUL, 0, node(NTH, 0, node(LIST, 3, 0, 0), node(ADD, 0, node(COUNT, 2, 0, 0), node(COUNT, 1, 0, 0))),
                     node(ADD, 0, node(COUNT, 2, 0, 0), node(VAR, 3, 0, 0))));
    double r = sin(number(eval(e, x, n)) / 40);
    dispose(e);
    return r;
}
