// check: array n=6 identity=1e-6 tol=1e-4
#include <stdlib.h>
#include <string.h>
typedef struct { size_t size, count, cap; unsigned char *data; } Pool;
typedef struct { double x, v; } Body;
typedef struct { float heat; float rate; } Warm;
static void *add(Pool *p) { if (p->count == p->cap) { p->cap = p->cap ? 2 * p->cap : 2; p->data = realloc(p->data, p->cap * p->size); } return p->data + p->size * p->count++; }
static void drop(Pool *p, size_t at) { p->count--; if (at != p->count) memcpy(p->data + at * p->size, p->data + p->count * p->size, p->size); }
double objective(double *x, int n)
{
    Pool pools[2] = {{sizeof(Body), 0, 0, 0}, {sizeof(Warm), 0, 0, 0}};
    for (int i = 0; i < n; i++) {
        Body *b = add(&pools[0]); b->x = x[i]; b->v = x[i] * 0.5;
        Warm *w = add(&pools[1]); w->heat = (float)x[i]; w->rate = 2.0f;
    }
    for (int k = 0; k < 2; k++) drop(&pools[k], 1);
    double s = 0;
    for (size_t i = 0; i < pools[0].count; i++) { Body *b = (Body *)pools[0].data + i; s += b->x * b->v; }
    for (size_t i = 0; i < pools[1].count; i++) { Warm *w = (Warm *)pools[1].data + i; s += w->heat * w->rate * w->heat; }
    free(pools[0].data); free(pools[1].data);
    return s;
}
