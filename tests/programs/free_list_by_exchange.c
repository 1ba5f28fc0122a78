// check: array n=6,3
// A list of free blocks whose head is compared and exchanged, in functions that stay calls.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

union block { union block *next; struct { double v[3], q; } particle; };
struct slab { union block *free_list; long in_use; int lock; union block blocks[10]; };
struct magazine { union block *held[3]; int count; };

static void spin(int *l) { while (__sync_lock_test_and_set(l, 1)) { } }
static void slab_put(struct slab *s, union block *b)
{
    union block *old;
    do { old = s->free_list; b->next = old; } while (!__sync_bool_compare_and_swap(&s->free_list, old, b));
    __sync_fetch_and_sub(&s->in_use, 1);
}
static union block *slab_get(struct slab *s)
{
    for (;;) {
        union block *b = s->free_list;
        if (!b) return NULL;
        if (__sync_val_compare_and_swap(&s->free_list, b, b->next) == b) { __sync_fetch_and_add(&s->in_use, 1); return b; }
    }
}
static union block *obtain(struct slab *s, struct magazine *m) { return m->count ? m->held[--m->count] : slab_get(s); }
static void release(struct slab *s, struct magazine *m, union block *b) { if (m->count < 3) m->held[m->count++] = b; else slab_put(s, b); }

double objective(double *x, int n)
{
    struct slab *s = calloc(1, sizeof *s);
    struct magazine m = { .count = 0 };
    union block *live[10];
    int count = 0;
    double energy = 0;
    s->in_use = 10;
    for (int i = 0; i < 10; i++) slab_put(s, &s->blocks[i]);
    for (int t = 0; t < 18; t++) {
        if (count < 7) {
            union block *b = obtain(s, &m);
            if (!b) break;
            for (int k = 0; k < 3; k++) b->particle.v[k] = x[(t + k) % n] * (1 + 0.1 * k);
            b->particle.q = 0.5 + 0.1 * x[t % n];
            live[count++] = b;
        }
        spin(&s->lock);
        for (int i = 0; i < count; i++) {
            double *v = live[i]->particle.v, w = live[i]->particle.q * 0.2;
            double a = v[0] + w * v[1], c = v[1] - w * v[0];
            v[0] = a; v[1] = c; v[2] *= cos(w);
            energy += 0.01 * (a * a + c * c + v[2]);
        }
        __sync_lock_release(&s->lock);
        if (t % 3 == 2 && count > 2) {
            int victim = (t * 5) % count;
            energy += live[victim]->particle.v[0] * live[victim]->particle.q;
            release(s, &m, live[victim]);
            live[victim] = live[--count];
        }
    }
    energy += (double)s->in_use * x[0];
    free(s);
    return energy;
}
