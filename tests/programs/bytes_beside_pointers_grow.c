// check: array n=4 range=0.5:1.5 tol=1e-4 identity=1e-6
#include <stdlib.h>
#include <string.h>
typedef struct { char *data; unsigned len, alloc, elt_size; } GArray;
typedef struct { void **pdata; unsigned len, alloc; } GPtrArray;
static void append_vals(GArray *a, const void *data, unsigned len)
{
    if (a->len + len > a->alloc) {
        a->alloc = 2 * (a->len + len);
        a->data = realloc(a->data, (size_t)a->alloc * a->elt_size);
    }
    memcpy(a->data + (size_t)a->len * a->elt_size, data, (size_t)a->elt_size * len);
    a->len += len;
}
static void ptr_add(GPtrArray *a, void *p)
{
    if (a->len == a->alloc) { a->alloc = a->alloc ? 2 * a->alloc : 4; a->pdata = realloc(a->pdata, a->alloc * sizeof(void *)); }
    a->pdata[a->len++] = p;
}
typedef struct { float weight; short id; double *cell; } Body;
double objective(double *x, int n)
{
    GArray *nums = calloc(1, sizeof *nums), *bodies = calloc(1, sizeof *bodies);
    nums->elt_size = sizeof(double); bodies->elt_size = sizeof(Body);
    GPtrArray owned = {0};
    double r = 0;
    for (int i = 0; i < n; i++) {
        double sq = x[i] * x[i], *own = malloc(sizeof *own);
        *own = x[i];
        append_vals(nums, &sq, 1);
        Body b = {(float)x[i], (short)i, own};
        append_vals(bodies, &b, 1);
        ptr_add(&owned, own);
    }
    for (unsigned i = 0; i < nums->len; i++) r += ((double *)(void *)nums->data)[i] * (i + 1);
    for (unsigned i = 0; i < bodies->len; i++) { Body *b = &((Body *)(void *)bodies->data)[i]; r += b->weight * *b->cell / (b->id + 1); }
    for (unsigned i = 0; i < owned.len; i++) { r += *(double *)owned.pdata[i]; free(owned.pdata[i]); }
    free(owned.pdata); free(nums->data); free(nums); free(bodies->data); free(bodies);
    return r;
}
