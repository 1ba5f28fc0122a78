// check: array n=5 range=0.2:1.5
// A stack of values that are numbers, counts or vectors, moved as a tag and an integer: each variant is read as itself.
#include <stdint.h>
#include <stdlib.h>
struct vec { int refs, len; double at[]; };
typedef struct {
    enum { NUM, INT, VEC } tag;
    union { double d; int64_t i; struct vec *v; };
} value;
struct vm { value *stack; int top, cap; };
static void push(struct vm *m, value v)
{
    if (m->top == m->cap) {
        m->cap = m->cap * 2 + 2;
        m->stack = realloc(m->stack, (size_t)m->cap * sizeof *m->stack);
    }
    m->stack[m->top++] = v;
}
static value pop(struct vm *m) { return m->stack[--m->top]; }
static double number(value v)
{
    switch (v.tag) {
    case NUM: return v.d;
    case INT: return (double)v.i;
    case VEC: return v.v->at[0];
    }
    return 0;
}
double objective(double *x, int n)
{
    struct vm m = {0};
    for (int i = 0; i < n; i++)
        if (i % 3 == 2) {
            struct vec *v = malloc(sizeof *v + sizeof(double));
            v->at[0] = x[i];
            push(&m, (value){VEC, {.v = v}});
        } else if (i % 3 == 1)
            push(&m, (value){INT, {.i = i}});
        else
            push(&m, (value){NUM, {.d = x[i]}});
    double s = 1;
    while (m.top) {
        value a = pop(&m);
        s *= number(a);
        if (a.tag == VEC)
            free(a.v);
    }
    free(m.stack);
    return s;
}
