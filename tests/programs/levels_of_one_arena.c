// check: array n=4 range=0.5:1.5 tol=1e-4 identity=1e-6
#include <stdlib.h>
#include <string.h>
struct level { int n; double *u, *r; float *c; };
static void cycle(struct level *l, int k)
{
    for (int i = 0; i < l->n; i++) l->r[i] = l->u[i] * l->c[i] + 0.1 * l->u[0];
    memcpy(l->u, l->r, l->n * sizeof *l->u);
    if (k) cycle(l, k - 1);
    if (k > 1) cycle(l, k - 2);
}
double objective(double *x, int n)
{
    size_t o = n * sizeof(double), p = 2 * o;
    char *work = calloc(1, p + n * sizeof(float));
    struct level l = {n, (double *)(void *)work, (double *)(void *)(work + o), (float *)(void *)(work + p)};
    double out = 0;
    for (int i = 0; i < n; i++) { l.u[i] = x[i]; l.c[i] = (float)(0.5 * x[i]); }
    cycle(&l, 3);
    for (int i = 0; i < n; i++) out += l.u[i] * l.u[i];
    free(work);
    return out;
}
