// check: array n=6,3
// Addresses by atomic exchange: a stack without locks, tagged indices, numbers that are compared and exchanged.
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { double value, weight; _Atomic uint32_t next; } slot;
typedef struct { slot *slots; _Atomic uint64_t head, spare; } stack_t_;
typedef struct { atomic_uint sequence; double position[2]; } seqlock;
typedef struct msg { struct msg *next; double payload[2]; } msg;

static void link_push(slot *slots, _Atomic uint64_t *head, uint32_t i)
{
    uint64_t old = atomic_load_explicit(head, memory_order_relaxed), fresh;
    do {
        atomic_store_explicit(&slots[i].next, (uint32_t)old, memory_order_relaxed);
        fresh = ((old >> 32) + 1) << 32 | i;
    } while (!atomic_compare_exchange_weak_explicit(head, &old, fresh, memory_order_release, memory_order_relaxed));
}
static uint32_t link_pop(slot *slots, _Atomic uint64_t *head)
{
    uint64_t old = atomic_load(head), fresh;
    do {
        if (!(uint32_t)old) return 0;
        fresh = ((old >> 32) + 1) << 32 | atomic_load(&slots[(uint32_t)old].next);
    } while (!atomic_compare_exchange_weak(head, &old, fresh));
    return (uint32_t)old;
}
static bool push(stack_t_ *s, double v, double w)
{
    uint32_t i = link_pop(s->slots, &s->spare);
    if (!i) return false;
    s->slots[i].value = v; s->slots[i].weight = w;
    link_push(s->slots, &s->head, i);
    return true;
}
static bool pop(stack_t_ *s, double *v, double *w)
{
    uint32_t i = link_pop(s->slots, &s->head);
    if (!i) return false;
    *v = s->slots[i].value; *w = s->slots[i].weight;
    link_push(s->slots, &s->spare, i);
    return true;
}
static void add(_Atomic double *to, double v)
{
    double old = atomic_load(to);
    while (!atomic_compare_exchange_weak(to, &old, old + v)) { }
}
static void write_position(seqlock *l, double a, double b)
{
    atomic_fetch_add(&l->sequence, 1); l->position[0] = a; l->position[1] = b; atomic_fetch_add(&l->sequence, 1);
}
static void read_position(seqlock *l, double out[2])
{
    unsigned before;
    do { before = atomic_load(&l->sequence); out[0] = l->position[0]; out[1] = l->position[1]; } while ((before & 1) || before != atomic_load(&l->sequence));
}
static void post(_Atomic(msg *) *box, double a, double b)
{
    msg *m = malloc(sizeof *m);
    m->payload[0] = a; m->payload[1] = b; m->next = atomic_load(box);
    while (!atomic_compare_exchange_weak(box, &m->next, m)) { }
}
double objective(double *x, int n)
{
    stack_t_ s = { calloc(8, sizeof(slot)), 0, 0 };
    _Atomic double total = 0.0;
    _Atomic(msg *) box = NULL;
    seqlock l = { 0 };
    for (uint32_t i = 1; i < 8; i++) link_push(s.slots, &s.spare, i);
    for (int t = 0; t < 14; t++) {
        double v, w, p[2];
        push(&s, sin(x[t % n]) + 0.1 * t, x[(t + 1) % n]);
        if (t % 3 == 2 && pop(&s, &v, &w)) {
            read_position(&l, p);
            write_position(&l, 0.5 * p[0] + v * w, p[1] + 0.1 * p[0] * v);
            post(&box, v, p[1]);
            add(&total, v * w * 0.5);
        }
        if (t == 8) for (msg *m = atomic_exchange(&box, NULL), *next; m; m = next) { next = m->next; add(&total, m->payload[0] * m->payload[1]); free(m); }
    }
    double v, w, p[2];
    while (pop(&s, &v, &w)) add(&total, v / (1 + w * w));
    for (msg *m = atomic_exchange(&box, NULL), *next; m; m = next) { next = m->next; add(&total, m->payload[1]); free(m); }
    read_position(&l, p);
    free(s.slots);
    return atomic_load(&total) + p[0] * p[1];
}
