#include <stdint.h>
#include <stdlib.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

struct cell {
    double mass;
    uintptr_t child; /* an address with a tag, in cells that lie at computed distances */
};

static void insert(struct cell *cells, uintptr_t *slot, double q, int depth)
{
    if (!*slot)
        *slot = (uintptr_t)(cells + depth) | 1;
    struct cell *c = (struct cell *)(*slot & ~(uintptr_t)1);
    c->mass += q;
    if (depth)
        insert(cells, &c->child, q * q, depth - 1);
}

static double f(const double *x)
{
    uintptr_t root = 0;
    struct cell *cells = calloc(2, sizeof *cells);
    insert(cells, &root, x[0], 1);
    double r = cells[0].mass * cells[1].mass;
    free(cells);
    return r;
}

int main(void)
{
    double x = 2.0, x_bar = 0.0;
    __enzyme_autodiff((void *)f, enzyme_dup, &x, &x_bar);
}
