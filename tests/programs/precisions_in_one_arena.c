// check: array n=5 tol=4e-3 identity=1e-4
// Runs of doubles and of floats in one arena, saved and restored by memcpy.
#include <stdlib.h>
#include <string.h>
typedef struct {
    char *at, *end;
} arena;
static void *take(arena *a, size_t n)
{
    void *p = a->at;
    a->at += (n + 7) / 8 * 8;
    return a->at <= a->end ? p : NULL;
}
static void *saved(arena *a, const void *from, size_t n) { return memcpy(take(a, n), from, n); }

double objective(const double *x, int n)
{
    char *memory = malloc(4096);
    arena a = {memory, memory + 4096};
    double *d = take(&a, n * sizeof *d);
    float *f = take(&a, n * sizeof *f);
    for (int i = 0; i < n; i++) {
        d[i] = x[i] * x[0];
        f[i] = (float)(x[i] * 0.5);
    }
    double *e = saved(&a, d, n * sizeof *d);
    float *g = saved(&a, f, n * sizeof *f);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += e[i] * e[i] * g[i];
    free(memory);
    return sum;
}
