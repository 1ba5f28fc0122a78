// check: array n=2
// Integers that callees fill through a struct beside numbers, in every way: their memory stays what it is.
#include <string.h>
struct sim { int *first; double *pos; };
struct outer { struct sim *in; double *pos; };
static const int table[2] = {3, 4};
static int shared[2];
static double sum(const struct sim *s)
{
    double e = 0;
    for (int i = 0; i < 2; i++)
        e += s->first[i] * s->pos[i];
    return e;
}
__attribute__((noinline)) static double stored(struct sim *s)
{
    for (int i = 0; i < 2; i++)
        s->first[i] = 2;
    return sum(s);
}
__attribute__((noinline)) static double copied(struct sim *s)
{
    memcpy(s->first, table, sizeof table);
    return sum(s);
}
__attribute__((noinline)) static double filled(struct sim *s)
{
    memset(s->first, 1, sizeof table);
    return sum(s) / 1e6;
}
__attribute__((noinline)) static double swapped(struct sim *s)
{
    __atomic_store_n(s->first, 6, __ATOMIC_RELAXED);
    __atomic_exchange_n(s->first + 1, 7, __ATOMIC_SEQ_CST);
    return sum(s);
}
__attribute__((noinline)) static double nested(struct outer *o)
{
    memset(o->in->first, 2, sizeof table);
    o->in->first[0] = 9;
    return sum(o->in) / 1e7;
}
double objective(const double *x, int n)
{
    int first[2], second[2], other[2] = {1, 2}, last[2];
    double pos[2];
    for (int i = 0; i < 2; i++)
        pos[i] = x[i] * x[i];
    struct sim a = {first, pos}, b = {second, pos}, c = {shared, pos}, d = {other, pos}, e = {last, pos};
    struct outer o = {&e, pos};
    return stored(&a) * copied(&b) * filled(&c) + swapped(&d) + nested(&o);
}
