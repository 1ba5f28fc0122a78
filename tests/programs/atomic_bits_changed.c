// check: array n=5,3 stopped=-O0+-O2+-O2-fno-inline+-O1+-O3
// Objects that are counted by atomic additions; in one class the word is a number, whose bits are changed.
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
struct shape;
struct table {
    double (*area)(struct shape *);
    void (*grow)(struct shape *);
};
struct shape {
    const struct table *t;
};
struct num {
    const struct table *t;
    union {
        double v;
        _Atomic uint64_t w;
    } u;
};
struct cnt {
    const struct table *t;
    _Atomic uint64_t n;
    double v;
};

static double num_area(struct shape *s)
{
    return ((struct num *)s)->u.v;
}

static double cnt_area(struct shape *s)
{
    struct cnt *c = (struct cnt *)s;
    return c->v * c->n;
}

__attribute__((noinline)) static void bump(_Atomic uint64_t *w, uint64_t by)
{
    atomic_fetch_add(w, by);
}

static void num_grow(struct shape *s)
{
    bump(&((struct num *)s)->u.w, (uint64_t)1 << 52);
}

static void cnt_grow(struct shape *s)
{
    bump(&((struct cnt *)s)->n, 1);
}

static const struct table nums = {num_area, num_grow}, cnts = {cnt_area, cnt_grow};

double objective(const double *x, int n)
{
    struct shape *all[8];
    double t = 0;
    for (int i = 0; i < n; i++)
        if (i % 2) {
            struct num *p = malloc(sizeof *p);
            p->t = &nums;
            p->u.v = x[i] * x[i];
            all[i] = (struct shape *)p;
        } else {
            struct cnt *p = malloc(sizeof *p);
            p->t = &cnts;
            p->v = x[i];
            p->n = i + 1;
            all[i] = (struct shape *)p;
        }
    for (int i = 0; i < n; i++)
        all[i]->t->grow(all[i]);
    for (int i = 0; i < n; i++)
        t += all[i]->t->area(all[i]);
    for (int i = 0; i < n; i++)
        free(all[i]);
    return t;
}
