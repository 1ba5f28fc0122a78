// check: array n=6
// Opaque handles: an API that gives out uintptr_t / void* in long fields; user data in an intptr_t.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
typedef uintptr_t handle;
struct sys {
    double k;
    double x[4];
    int n;
};
static handle sys_create(double k)
{
    struct sys *s = calloc(1, sizeof *s);
    s->k = k;
    return (handle)s;
}
static void sys_push(handle h, double v)
{
    struct sys *s = (struct sys *)h;
    s->x[s->n++ & 3] = v;
}
static double sys_energy(handle h)
{
    const struct sys *s = (const struct sys *)h;
    double e = 0;
    for (int i = 0; i < s->n && i < 4; i++)
        e += s->k * s->x[i] * s->x[i];
    return e;
}
static void sys_free(handle h)
{
    free((void *)h);
}
struct event {
    int kind;
    intptr_t user;
};
double objective(const double *x, int n)
{
    handle h[3];
    for (int i = 0; i < 3; i++)
        h[i] = sys_create(x[i]);
    struct event ev[32];
    int m = 0;
    for (int i = 0; i < n; i++) {
        sys_push(h[i % 3], sin(x[i]));
        ev[m++] = (struct event){i, (intptr_t)h[(i * 2) % 3]};
    }
    double s = 0;
    for (int i = 0; i < m; i++)
        s += ev[i].kind * sys_energy((handle)ev[i].user);
    for (int i = 0; i < 3; i++)
        sys_free(h[i]);
    return s;
}
