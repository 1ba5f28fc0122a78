// check: main
// Unions of which a function uses the integers and copies the rest: in other objects these are numbers. The derivative
// moves their adjoints, whatever they are; with shadows of zeros and with such as copying the objects makes.
#include "elements_check.h"

typedef struct {
    double r;
    int at[2];
} item;

typedef struct {
    double r;
    float w[2];
} other;

typedef struct {
    union {
        item items[2];
        other o;
    } u;
    double q;
    long kind;
} shape;

__attribute__((noinline)) static double of_two(shape *p, shape *q)
{
    double sum = 0;
    if (p->kind == 1)
        for (int i = 0; i < 2; i++)
            sum += p->u.items[i].r * q->u.items[i].at[i & 1];
    else {
        q->u.o = p->u.o;
        sum = q->u.o.r * p->q;
    }
    return sum;
}

static double items(shape *s) { return of_two(s, s + 1); }

static void items_start(shape *s)
{
    for (int k = 0; k < 2; k++) {
        s[k].u.o.r = 1.2 + k;
        s[k].u.o.w[0] = 0.5f + k;
        s[k].u.o.w[1] = 2 - k;
        s[k].q = 0.9;
    }
}

static void items_numbers(shape *s)
{
    for (int k = 0; k < 2; k++) {
        whole(&s[k].u.o.r);
        half(&s[k].u.o.w[0]);
        half(&s[k].u.o.w[1]);
        whole(&s[k].q);
    }
}

CHECK(items, shape, 2)

typedef struct {
    int kind;
    union {
        int n;
        float w;
    } u;
    double x;
} token;

static double tokens(token *t)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        if (t[i].kind == 0) {
            sum += t[i].x * t[i].u.n;
            continue;
        }
        token kept = t[i]; // adjoints of floats are added here
        t[i ^ 1] = kept;
        sum += kept.x * kept.x;
    }
    return sum;
}

static void tokens_start(token *t)
{
    t[0].u.n = 3;
    t[0].x = 0.5;
    for (int i = 1; i < 4; i++) {
        t[i].kind = 1;
        t[i].x = 1 + i;
        t[i].u.w = 0.5f + i;
    }
}

static void tokens_numbers(token *t)
{
    for (int i = 0; i < 4; i++) {
        whole(&t[i].x);
        if (i)
            half(&t[i].u.w);
    }
}

CHECK(tokens, token, 4)

typedef struct {
    union {
        long n;
        double d;
    } u;
    double x;
    int kind;
} cell;

static double cells(cell *t)
{
    double sum = t[0].kind ? t[0].x * t[0].u.n : 0;
    for (int i = 1; i < 3; i++) {
        cell kept = t[i];
        t[i] = t[i + 1];
        t[i + 1] = kept;
        sum += t[i].x * t[i + 1].x * t[i].x;
    }
    return sum;
}

static void cells_start(cell *t)
{
    t[0].u.n = 3;
    t[0].kind = 1;
    t[0].x = 0.75;
    for (int i = 1; i < 4; i++) {
        t[i].x = 1 + i;
        t[i].u.d = 0.5 + i;
    }
}

static void cells_numbers(cell *t)
{
    for (int i = 0; i < 4; i++) {
        whole(&t[i].x);
        if (i)
            whole(&t[i].u.d);
    }
}

CHECK(cells, cell, 4)

typedef struct {
    int first, last;
    double p;
} range;

typedef struct {
    float low, high;
    double p;
} span;

typedef union {
    range r;
    span s;
} part;

__attribute__((noinline)) static double length(const range *r) { return (r->last - r->first) * r->p; }

static double parts(part *p)
{
    double sum = length(&p[0].r);
    part kept = p[1];
    p[1] = p[2];
    p[2] = kept;
    return sum + p[2].r.p * p[1].s.p;
}

static void parts_start(part *p)
{
    p[0].r = (range){1, 4, 0.75};
    for (int i = 1; i < 3; i++)
        p[i].s = (span){0.5f + i, 1.5f, 1.0 + i};
}

static void parts_numbers(part *p)
{
    for (int i = 0; i < 3; i++) {
        whole(&p[i].s.p);
        if (i) {
            half(&p[i].s.low);
            half(&p[i].s.high);
        }
    }
}

CHECK(parts, part, 3)

// What is overwritten by constants ends there.
static const cell nothing;

static double ended(cell *t)
{
    double sum = t[0].kind ? t[0].x * t[0].u.n : 0;
    t[3] = t[1];
    t[1] = nothing;
    memset(t + 2, 0, sizeof *t);
    return sum + t[3].x * t[3].x;
}

static void ended_start(cell *t) { cells_start(t); }
static void ended_numbers(cell *t) { cells_numbers(t); }

CHECK(ended, cell, 4)

int main(void)
{
    int bad = 0;
    for (int copied = 0; copied < 2; copied++)
        bad += check_items(copied) + check_tokens(copied) + check_cells(copied) + check_parts(copied) + check_ended(copied);
    return bad != 0;
}
