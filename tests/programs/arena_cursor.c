// check: array n=5
// Arena whose cursor is a uintptr_t member; helper align_up.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
typedef struct {
    uintptr_t base, cur, end;
} Arena;
static uintptr_t align_up(uintptr_t p, size_t a)
{
    return (p + a - 1) & ~(uintptr_t)(a - 1);
}
static void arena_init(Arena *a, size_t n)
{
    a->base = (uintptr_t)malloc(n);
    a->cur = a->base;
    a->end = a->base + n;
}
static void *arena_alloc(Arena *a, size_t n, size_t al)
{
    uintptr_t p = align_up(a->cur, al);
    if (p + n > a->end)
        return NULL;
    a->cur = p + n;
    return (void *)p;
}
typedef struct {
    int id;
    double v[2];
} Node;
double objective(const double *x, int n)
{
    Arena a;
    arena_init(&a, 4096);
    Node **t = arena_alloc(&a, n * sizeof *t, 8);
    for (int i = 0; i < n; i++) {
        char *tag = arena_alloc(&a, 3, 1);
        tag[0] = 'a';
        t[i] = arena_alloc(&a, sizeof(Node), 16);
        t[i]->id = i;
        t[i]->v[0] = x[i] * x[i];
        t[i]->v[1] = sin(x[i]);
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s += t[i]->v[0] * t[(i + 1) % n]->v[1];
    free((void *)a.base);
    return s;
}
