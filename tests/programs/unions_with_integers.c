// check: main
// Unions of which a function uses the integers and copies the rest: in other objects these are numbers. The derivative
// moves their adjoints, whatever they are; with shadows of zeros and with such as copying the objects makes.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    void *at;
    int is_float;
} number;

static number numbers[64];
static int count;

static void whole(double *at) { numbers[count++] = (number){at, 0}; }
static void half(float *at) { numbers[count++] = (number){at, 1}; }
static double get(int i) { return numbers[i].is_float ? *(float *)numbers[i].at : *(double *)numbers[i].at; }

static void set(int i, double value)
{
    if (numbers[i].is_float)
        *(float *)numbers[i].at = (float)value;
    else
        *(double *)numbers[i].at = value;
}

static double direction(int i) { return 0.25 + 0.125 * ((i * 7 + 3) % 11) - 0.5 * (i & 1); }
static double weight(int i) { return 0.5 - 0.125 * ((i * 5 + 1) % 7) + 0.25 * (i & 1); }

// f and the numbers in memory after it, weighted, are differentiated.
#define CHECK(name, type, n)                                                                                           \
    static int list_##name(type *in)                                                                                   \
    {                                                                                                                  \
        count = 0;                                                                                                     \
        name##_numbers(in);                                                                                            \
        return count;                                                                                                  \
    }                                                                                                                  \
    static double moved_##name(double h)                                                                               \
    {                                                                                                                  \
        static type memory[n];                                                                                         \
        memset(memory, 0, sizeof memory);                                                                              \
        name##_start(memory);                                                                                          \
        int all = list_##name(memory);                                                                                 \
        for (int i = 0; i < all; i++)                                                                                  \
            set(i, get(i) + h * direction(i));                                                                         \
        double sum = name(memory);                                                                                     \
        for (int i = 0; i < all; i++)                                                                                  \
            sum += weight(i) * get(i);                                                                                 \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static int check_##name(int copied)                                                                                \
    {                                                                                                                  \
        static type memory[n], shadow[n];                                                                              \
        memset(memory, 0, sizeof memory);                                                                              \
        memset(shadow, 0, sizeof shadow);                                                                              \
        name##_start(memory);                                                                                          \
        int all = list_##name(shadow);                                                                                 \
        for (int i = 0; i < all; i++)                                                                                  \
            set(i, direction(i));                                                                                      \
        double forward = __enzyme_fwddiff((void *)name, enzyme_dup, memory, shadow), reverse = 0;                      \
        for (int i = 0; i < all; i++)                                                                                  \
            forward += weight(i) * get(i);                                                                             \
        memset(memory, 0, sizeof memory);                                                                              \
        name##_start(memory);                                                                                          \
        memset(shadow, 0, sizeof shadow);                                                                              \
        if (copied)                                                                                                    \
            memcpy(shadow, memory, sizeof memory);                                                                     \
        for (int i = 0; i < all; i++)                                                                                  \
            set(i, weight(i));                                                                                         \
        __enzyme_autodiff((void *)name, enzyme_dup, memory, shadow);                                                   \
        for (int i = 0; i < all; i++)                                                                                  \
            reverse += direction(i) * get(i);                                                                          \
        double h = 1.0 / 512, difference = (moved_##name(h) - moved_##name(-h)) / (2 * h);                             \
        if (fabs(forward - reverse) < 1e-6 && fabs(forward - difference) < 1e-3 * (1 + fabs(difference)))              \
            return 0;                                                                                                  \
        printf("FAIL: " #name " %d: %.9g %.9g %.9g\n", copied, forward, reverse, difference);                          \
        return 1;                                                                                                      \
    }

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
