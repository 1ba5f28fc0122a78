// check: array n=2 refused=E0110@-O0+-O1+-O2+-O3
// Tagged addresses in cells beside numbers, at distances that only the run knows.
// A recursive insertion writes to cells through tagged slots, which are read by their array.
#include <stdint.h>
#include <stdlib.h>
struct cell { double mass; uintptr_t child; };
static void insert(struct cell *t, uintptr_t *slot, double q, int depth) {
    if (!*slot) *slot = (uintptr_t)(t + depth) | 1;
    struct cell *c = (struct cell *)(*slot & ~(uintptr_t)1);
    c->mass += q;
    if (depth) insert(t, &c->child, q * q, depth - 1);
}
double objective(const double *x, int n) {
    uintptr_t root = 0;
    struct cell *t = calloc(2, sizeof *t);
    insert(t, &root, x[0], 1);
    double r = t[0].mass * t[1].mass;
    free(t);
    return r;
}
