// check: array n=6,3
// Settings are replaced as a whole: a pointer is published, and what it led to before is freed later.
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct settings { double gain[3], limit; int version; struct settings *retired; };
struct controller { struct settings *current; struct settings *graveyard; double state[3], effort; bool saturated; };

static struct settings *settings_copy(const struct settings *s)
{
    struct settings *c = malloc(sizeof *c);
    if (!c) abort();
    *c = *s;
    c->retired = NULL; c->version++;
    return c;
}
static void retire(struct controller *c, struct settings *s)
{
    s->retired = __atomic_load_n(&c->graveyard, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&c->graveyard, &s->retired, s, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) { }
}
static void update(struct controller *c, void (*edit)(struct settings *, const double *, int), const double *x, int n)
{
    struct settings *old = __atomic_load_n(&c->current, __ATOMIC_ACQUIRE), *fresh = settings_copy(old);
    edit(fresh, x, n);
    old = __atomic_exchange_n(&c->current, fresh, __ATOMIC_ACQ_REL);
    retire(c, old);
}
static void raise_gain(struct settings *s, const double *x, int n) { for (int k = 0; k < 3; k++) s->gain[k] *= 1 + 0.1 * x[k % n]; }
static void soften(struct settings *s, const double *x, int n) { s->limit = 0.9 * s->limit + 0.1 * x[n - 1]; s->gain[0] -= 0.05 * s->limit; }
static double reader(struct controller *c, double error)
{
    const struct settings *s = __atomic_load_n(&c->current, __ATOMIC_CONSUME);
    double u = s->gain[0] * error + s->gain[1] * c->state[0] + s->gain[2] * (error - c->state[1]);
    c->state[0] += 0.1 * error; c->state[1] = error;
    u = s->limit * tanh(u / s->limit);
    c->saturated |= fabs(u) > 0.99 * s->limit;
    return u;
}
static double reclaim(struct controller *c)
{
    double sum = 0;
    struct settings *s = __atomic_exchange_n(&c->graveyard, NULL, __ATOMIC_ACQUIRE);
    while (s) { struct settings *next = s->retired; sum += s->gain[1] * s->version; free(s); s = next; }
    return sum;
}
double objective(double *x, int n)
{
    static void (*const edits[])(struct settings *, const double *, int) = { raise_gain, soften, raise_gain };
    struct controller c = { .current = calloc(1, sizeof(struct settings)) };
    *c.current = (struct settings){ .gain = { 0.5 + 0.2 * x[0], 0.3, 0.1 * x[1] }, .limit = 1.5 };
    double y = 0, v = 0, cost = 0;
    for (int t = 0; t < 20; t++) {
        double u = reader(&c, sin(0.4 * t) + 0.1 * x[t % n] - y);
        v += 0.2 * (u - v); y += 0.2 * v;
        cost += u * u * 0.1 + y * y;
        if (t % 5 == 4) update(&c, edits[t / 5 % 3], x, n);
        if (t == 12) cost += reclaim(&c);
    }
    cost += reclaim(&c) + c.current->gain[0];
    free(c.current);
    return cost;
}
