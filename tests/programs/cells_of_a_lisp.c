// check: array n=3
// What is left of a pointer in the shadow goes where an integer is read by now.
#include <stdlib.h>
typedef struct cell cell;
struct cell { int type; union { double num; long sym; struct { cell *car, *cdr; } pair; cell *free; } u; };
enum { FREE, NUM, SYM, PAIR };
typedef struct { cell *free; const double *x; } lisp;
static cell *make(lisp *l, int type)
{
    cell *c = l->free;
    l->free = c->u.free;
    c->type = type;
    return c;
}
static double eval(lisp *l, cell *c)
{
    if (c->type == NUM)
        return c->u.num;
    if (c->type == SYM)
        return l->x[c->u.sym];
    long op = c->u.pair.car->u.sym;
    double r = eval(l, c->u.pair.cdr);
    return op == 7 ? r * r : r;
}
double objective(const double *x, int n)
{
    cell *heap = calloc(8, sizeof *heap);
    lisp l = {.x = x};
    for (int i = 7; i >= 0; i--)
        heap[i].u.free = l.free, l.free = &heap[i];
    cell *op = make(&l, SYM), *arg = make(&l, SYM), *pair = make(&l, PAIR), *kept = make(&l, NUM);
    op->u.sym = 7;
    arg->u.sym = 1;
    pair->u.pair.car = op;
    pair->u.pair.cdr = arg;
    kept->u.num = eval(&l, pair);
    double r = kept->u.num; free(heap); return r;
}
