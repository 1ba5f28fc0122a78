// check: array n=4,1
/* A little machine of values that are numbers or counts, passed and returned by value: in registers each is a tag and a
   word, which is the bits of a number on some ways and what was computed with integers on others. */
#include <stdint.h>
#include <stdlib.h>

#ifndef INTEGER
#define INTEGER int64_t
#endif

typedef enum { COUNT, NUMBER } tag;
typedef struct { tag t; union { double d; INTEGER i; } u; } value;
typedef struct { value *data; int n, room; } stack;

static value number(double d) { return (value){NUMBER, {.d = d}}; }
static value count(INTEGER i) { return (value){COUNT, {.i = i}}; }
static double as_number(value v) { return v.t == NUMBER ? v.u.d : (double)v.u.i; }

static value add(value a, value b)
{
    return a.t == COUNT && b.t == COUNT ? count(a.u.i + b.u.i) : number(as_number(a) + as_number(b));
}

static value multiply(value a, value b)
{
    return a.t == COUNT && b.t == COUNT ? count(a.u.i * b.u.i) : number(as_number(a) * as_number(b));
}

static void push(stack *s, value v)
{
    if (s->n == s->room)
        s->data = realloc(s->data, (s->room = 2 * s->room + 2) * sizeof *s->data);
    s->data[s->n++] = v;
}

static value pop(stack *s) { return s->data[--s->n]; }

double objective(double *x, int n)
{
    stack s = {0};
    for (int i = 0; i < n; i++) {
        push(&s, number(x[i]));
        push(&s, count(i + 1));
        push(&s, multiply(pop(&s), pop(&s)));
        push(&s, count(2));
        push(&s, count(i));
        push(&s, add(pop(&s), pop(&s)));
        push(&s, add(pop(&s), pop(&s)));
    }
    value product = count(1);
    while (s.n)
        product = multiply(product, pop(&s));
    free(s.data);
    return as_number(product);
}
