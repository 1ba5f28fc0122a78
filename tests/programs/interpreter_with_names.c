// check: array n=6,2,1
// An interpreter for a spreadsheet: cells with tagged values in a growing stack, programs parsed from text, interned names.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tag { T_NIL, T_INT, T_NUM, T_REF, T_FUNC };
struct value {
    unsigned char tag;
    union { long i; double d; struct cell *ref; double (*fn)(double); } as;
};
struct cell { struct value v; char *name; struct cell *chain; };
struct machine {
    struct value *stack;
    size_t top, room;
    struct cell *buckets[5];
    int error;
};

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static struct cell *intern(struct machine *m, const char *name, size_t len)
{
    char key[8] = {0};
    memcpy(key, name, len < 7 ? len : 7);
    unsigned h = hash(key) % 5;
    for (struct cell *c = m->buckets[h]; c; c = c->chain)
        if (!strcmp(c->name, key))
            return c;
    struct cell *c = calloc(1, sizeof *c);
    c->name = strdup(key);
    c->chain = m->buckets[h];
    m->buckets[h] = c;
    return c;
}

static void push(struct machine *m, struct value v)
{
    if (m->top == m->room) {
        m->room = m->room ? m->room * 2 : 2;
        m->stack = realloc(m->stack, m->room * sizeof *m->stack);
    }
    m->stack[m->top++] = v;
}

static double number(struct machine *m, struct value v)
{
    switch (v.tag) {
    case T_INT: return (double)v.as.i;
    case T_NUM: return v.as.d;
    case T_REF: return number(m, v.as.ref->v);
    default: m->error = 1; return 0;
    }
}

static double square(double a) { return a * a; }

static int run(struct machine *m, const char *p)
{
    for (; *p; ) {
        if (isspace((unsigned char)*p)) { p++; continue; }
        if (isdigit((unsigned char)*p)) {
            char *end;
            long i = strtol(p, &end, 10);
            if (*end == '.')
                push(m, (struct value){T_NUM, {.d = strtod(p, &end)}});
            else
                push(m, (struct value){T_INT, {.i = i}});
            p = end;
        } else if (isalpha((unsigned char)*p)) {
            const char *q = p;
            while (isalnum((unsigned char)*q))
                q++;
            push(m, (struct value){T_REF, {.ref = intern(m, p, q - p)}});
            p = q;
        } else if (*p == '!') {
            struct value f = m->stack[--m->top];
            if (f.tag == T_REF)
                f = f.as.ref->v;
            if (f.tag != T_FUNC)
                goto bad;
            struct value *a = &m->stack[m->top - 1];
            a->as.d = f.as.fn(number(m, *a));
            a->tag = T_NUM;
            p++;
        } else if (*p == '=') {
            struct value r = m->stack[--m->top], v = m->stack[--m->top];
            if (r.tag != T_REF)
                goto bad;
            while (v.tag == T_REF)
                v = v.as.ref->v;
            r.as.ref->v = v;
            p++;
        } else {
            if (m->top < 2)
                goto bad;
            struct value b = m->stack[--m->top], a = m->stack[--m->top], r;
            if (a.tag == T_INT && b.tag == T_INT && *p != '/') {
                r.tag = T_INT;
                r.as.i = *p == '+' ? a.as.i + b.as.i : *p == '-' ? a.as.i - b.as.i : a.as.i * b.as.i;
            } else {
                double u = number(m, a), w = number(m, b);
                r.tag = T_NUM;
                r.as.d = *p == '+' ? u + w : *p == '-' ? u - w : *p == '*' ? u * w : u / w;
            }
            push(m, r);
            p++;
        }
    }
    return 0;
bad:
    m->error = 2;
    return -1;
}

double objective(const double *x, int n)
{
    struct machine m = {0};
    static const struct { const char *name; double (*fn)(double); } library[] = {{"sq", square}, {"sin", sin}, {"exp", exp}};
    for (int i = 0; i < 3; i++)
        intern(&m, library[i].name, strlen(library[i].name))->v = (struct value){T_FUNC, {.fn = library[i].fn}};
    double total = 0;
    intern(&m, "acc", 3)->v = (struct value){T_INT, {.i = 1}};
    for (int i = 0; i < n; i++) {
        struct cell *c = intern(&m, "x", 1);
        c->v.tag = T_NUM;
        c->v.as.d = x[i];
        m.top = 0;
        run(&m, i % 2 ? "x sq ! 2 3 * + acc / y = y acc * sin ! acc + acc =" : "2 3 + y = x y * 10 / exp ! acc + acc = acc 2.5 /");
        total += number(&m, intern(&m, "acc", 3)->v) * (i + 1);
        if (m.top)
            total += number(&m, m.stack[m.top - 1]);
    }
    for (int b = 0; b < 5; b++)
        for (struct cell *c = m.buckets[b], *next; c; c = next) {
            next = c->chain;
            free(c->name), free(c);
        }
    free(m.stack);
    return m.error ? -1 : total;
}
