// check: array n=3 refused=E0110@-O0+-O1+-O2+-O2-fno-inline
// An address that is read as an integer from where another argument leads to is put together with a variable's.
#include <stdint.h>
#include <stdlib.h>
struct cell { double mass; uintptr_t child; };
static struct cell spare;
static __attribute__((noinline)) void use(struct cell *t, uintptr_t *slot, double q, int i) {
    uintptr_t w = *slot;
    if (!w) w = (uintptr_t)&spare;
    struct cell *c = (struct cell *)(w & ~(uintptr_t)1);
    c[0].mass += q; t[i & 1].mass += c->mass; t[i & 1].child = w | 1;
}
double objective(const double *x, int n) {
    struct cell *t = calloc(2, sizeof *t);
    spare = (struct cell){0};
    for (int i = 0; i < n; i++) use(t, &t[(i + 1) & 1].child, x[i], i);
    double r = t[0].mass * t[1].mass + spare.mass;
    free(t);
    return r;
}
