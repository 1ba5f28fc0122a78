// check: array n=5 range=0.3:1.3 real=long filled=1
// Slots of a union are pointers and numbers in turns, and so is the memory of an arena that is reset: what a pointer left in
// the shadow is no adjoint. Where the pointers lead differs from run to run, and with it what their halves are as numbers.
#include <stdlib.h>
#include <string.h>
struct slot { int kind; union { long double f[2]; long double *p; } u; };
static long double fixed[8];
static long double value(const struct slot *s) { return s->kind == 1 ? *s->u.p * 2 : s->u.f[0] * s->u.f[1]; }
static void fill(struct slot *s, long double *const *from, int n, int round)
{
    for (int i = 0; i < n; i++) {
        s[i].kind = (i + round) % 2;
        if (s[i].kind == 1)
            s[i].u.p = &from[(i + round) % 3][i];
        else
            s[i].u.f[0] = from[0][i] * from[0][0], s[i].u.f[1] = 1.5L * from[0][1];
    }
}
struct arena { char *memory; size_t used; };
static void *take(struct arena *a, size_t bytes) { a->used += bytes; return a->memory + a->used - bytes; }
struct link { struct link *next; long double *at; };
struct pair { long double a, b, c, d; };
static long double chain(struct arena *a, long double *from, int n)
{
    struct link *list = 0;
    for (int i = 0; i < n; i++) {
        struct link *next = list;
        list = take(a, sizeof *list);
        list->next = next;
        list->at = &from[i];
    }
    long double sum = 0;
    for (; list; list = list->next)
        sum += *list->at * *list->at;
    return sum;
}
static long double pairs(struct arena *a, const long double *from, int n)
{
    struct pair *p = take(a, sizeof *p * (size_t)n);
    for (int i = 0; i < n; i++)
        { p[i].a = from[i]; p[i].b = from[i] * from[0]; p[i].c = 0.5L * from[1]; p[i].d = from[i]; }
    long double sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i].a * p[n - 1 - i].b + p[i].c * p[i].d;
    return sum;
}
long double objective(long double *x, int n)
{
    struct slot *s = malloc(sizeof *s * (size_t)n);
    long double *own = malloc(sizeof *own * (size_t)n), sum = 0, *from[3] = {x, fixed, own};
    for (int i = 0; i < n; i++)
        fixed[i] = x[i] * x[1], own[i] = x[i] * x[2];
    for (int round = 0; round < 3; round++) {
        fill(s, from, n, round);
        for (int i = 0; i < n; i++)
            sum += value(&s[i]);
    }
    struct arena a = {malloc(1024), 0};
    for (int round = 0; round < 8; round++) {
        a.used = 0;
        sum += round % 4 == 1 ? pairs(&a, x, n) : chain(&a, from[round % 3], n);
    }
    free(a.memory);
    free(own);
    free(s);
    return sum;
}
