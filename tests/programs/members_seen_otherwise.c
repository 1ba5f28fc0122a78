// check: array n=6,4
// Structs whose members are reached past their declaration, as far as the language allows it: variants behind a common
// begin, a struct as an array of its numbers, the owner of an element, bytes from a member to the end, a growing last member.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct shape { int kind; float weight; };
struct disc { int kind; float weight; double at[2]; float radius; };
struct path { int kind; float weight; double points[5]; int count; };
struct body { double at[3]; double speed[3]; float charge; int id; };
struct owner { float gain; struct slot { double value; int index; } slots[4]; double sum; };
struct grown { int count; float scale; double values[1]; };

__attribute__((noinline)) static double measure(const struct shape *s, int which)
{
    if (s->kind == 1) {
        const struct disc *d = (const struct disc *)s;
        return d->at[which % 2] * d->radius * d->weight;
    }
    const struct path *p = (const struct path *)s;
    double sum = 0;
    for (int i = 0; i < p->count; i++) sum += p->points[(i + which) % p->count] * (i + 1) * p->weight;
    return sum;
}
__attribute__((noinline)) static double as_numbers(struct body *b, int n)
{
    double *y = (double *)b, s = b->charge;
    for (int i = 0; i < n; i++) y[i] = y[i] * 0.5 + s * i;
    return b->speed[n % 3] * b->id + b->at[n % 2];
}
__attribute__((noinline)) static struct owner *owner_of(struct slot *s)
{
    return (struct owner *)((char *)(s - s->index) - offsetof(struct owner, slots));
}
__attribute__((noinline)) static void note(struct slot *s, double v)
{
    struct owner *o = owner_of(s);
    s->value = v;
    o->sum += v * o->gain;
}
__attribute__((noinline)) static void copy_tail(struct owner *to, const struct owner *from)
{
    char *t = (char *)&to->slots;
    const char *f = (const char *)&from->slots;
    memcpy(t, f, sizeof *to - offsetof(struct owner, slots));
}
double objective(double *x, int n)
{
    struct disc d = { 1, 0.5f, { x[0], x[1] }, 2 };
    struct path p = { 2, 0.25f, { x[0], x[1] * x[0], x[2], x[3], x[1] }, 5 };
    struct shape *shapes[] = { (struct shape *)&d, (struct shape *)&p };
    double s = 0;
    for (int i = 0; i < 4; i++) s += measure(shapes[i & 1], i);
    struct body b = { { x[0], x[1], x[2] }, { x[3], x[0] * x[2], 1 }, 0.5f, 3 };
    s += as_numbers(&b, 6 - n % 2);
    struct owner o = { .gain = 2 }, other = { .gain = 3 };
    for (int i = 0; i < 4; i++) o.slots[i].index = i;
    for (int i = 0; i < 8; i++) note(&o.slots[i * 3 % 4], x[i % n] * (i + 1));
    copy_tail(&other, &o);
    for (int i = 0; i < 4; i++) s += other.slots[(i + n) % 4].value * other.slots[i].index * other.gain;
    s += other.sum;
    struct grown *g = malloc(sizeof *g + n * sizeof(double));
    g->count = n; g->scale = 0.5f;
    for (int i = 0; i <= n; i++) g->values[i] = x[i % n] * x[0];
    for (int i = g->count; i >= 0; i--) s += g->values[i] * g->scale * i;
    free(g);
    return s;
}
