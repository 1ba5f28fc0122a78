#include <stdint.h>
#include <stdlib.h>
#include <string.h>
enum { NONE, NUMBER, COUNT, VECTOR, ERROR };
typedef struct vector { int references, n; double v[]; } vector;
typedef struct { uint8_t type; union { double number; int64_t count; vector *vector; const char *error; } u; } value;
typedef struct sheet sheet;
typedef value (*formula)(sheet *s, int cell, const void *context);
struct cell { value kept; formula f; const void *context; int dirty, busy; };
struct sheet { int n, changes; struct cell *cells; };

value value_number(double number)
{
    return (value){.type = NUMBER, .u.number = number};
}

value value_keep(value v)
{
    if (v.type == VECTOR)
        v.u.vector->references++;
    return v;
}

value value_release(value v)
{
    if (v.type == VECTOR && --v.u.vector->references == 0)
        free(v.u.vector);
    return (value){.type = NONE};
}

value value_vector(const double *v, int n)
{
    vector *made = malloc(sizeof *made + n * sizeof *v);
    made->references = 1;
    made->n = n;
    memcpy(made->v, v, n * sizeof *v);
    return (value){.type = VECTOR, .u.vector = made};
}

value value_count(value v)
{
    return (value){.type = COUNT, .u.count = v.type == VECTOR ? v.u.vector->n : 1};
}

value value_scale(value a, double by)
{
    if (a.type == NUMBER)
        return value_number(a.u.number * by);
    if (a.type != VECTOR)
        return a;
    value r = value_vector(a.u.vector->v, a.u.vector->n);
    for (int i = 0; i < r.u.vector->n; i++)
        r.u.vector->v[i] *= by;
    return r;
}

double value_sum(value v)
{
    double sum = 0;
    switch (v.type) {
    case NUMBER: return v.u.number;
    case COUNT: return (double)v.u.count;
    case VECTOR:
        for (int i = 0; i < v.u.vector->n; i++)
            sum += v.u.vector->v[i] * (i + 1);
    }
    return sum;
}

value value_add(value a, value b)
{
    if (a.type == ERROR || b.type == ERROR)
        return a.type == ERROR ? a : b;
    if (a.type == VECTOR && b.type != VECTOR) {
        value r = value_scale(a, 1);
        for (int i = 0; i < r.u.vector->n; i++)
            r.u.vector->v[i] += value_sum(b);
        return r;
    }
    if (b.type == VECTOR && a.type != VECTOR)
        return value_add(b, a);
    if (a.type == COUNT && b.type == COUNT)
        return (value){.type = COUNT, .u.count = a.u.count + b.u.count};
    return value_number(value_sum(a) + value_sum(b));
}

sheet *sheet_new(int cells)
{
    sheet *s = malloc(sizeof *s);
    *s = (sheet){cells, 0, calloc(cells, sizeof(struct cell))};
    return s;
}

static void set(sheet *s, int cell, value v)
{
    s->cells[cell].kept = (value_release(s->cells[cell].kept), v);
    s->cells[cell].dirty = 0;
}

void sheet_number(sheet *s, int cell, double number)
{
    set(s, cell, value_number(number));
    s->cells[cell].f = NULL;
    s->changes++;
    for (int i = 0; i < s->n; i++)
        if (s->cells[i].f)
            s->cells[i].dirty = 1;
}

void sheet_formula(sheet *s, int cell, formula f, const void *context)
{
    s->cells[cell].f = f;
    s->cells[cell].context = context;
    s->cells[cell].dirty = 1;
}

value sheet_value(sheet *s, int cell)
{
    struct cell *c = &s->cells[cell];
    if (c->busy)
        return (value){.type = ERROR, .u.error = "circular"};
    if (c->dirty) {
        c->busy = 1;
        value v = c->f(s, cell, c->context);
        c->busy = 0;
        set(s, cell, v);
    }
    return c->kept;
}

void sheet_free(sheet *s)
{
    for (int i = 0; i < s->n; i++)
        set(s, i, (value){.type = NONE});
    free(s->cells);
    free(s);
}
