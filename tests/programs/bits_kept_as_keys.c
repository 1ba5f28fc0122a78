// check: array n=4 range=0.5:2.0 refused=E0111
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct keys { int64_t *k; int n; };
__attribute__((noinline)) static void add(struct keys *s, const double *v)
{
    int64_t b;
    memcpy(&b, v, sizeof b);
    s->k[s->n++] = b;
}
__attribute__((noinline)) static double level(const struct keys *s, int i) { return (double)s->k[i] * 0x1p-52; }
double objective(double *x, int n)
{
    struct keys s = {malloc(n * sizeof(int64_t)), 0};
    double r = 0;
    for (int i = 0; i < n; i++) add(&s, &x[i]);
    for (int i = 0; i < n; i++) r += level(&s, i) * (i + 1);
    free(s.k);
    return r;
}
