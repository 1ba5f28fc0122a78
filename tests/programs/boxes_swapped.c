// check: array n=3 range=0.5:2.0 tol=2e-3 identity=1e-6 step=1e-2
#include <stdlib.h>
#include <string.h>
struct power { float f; int k; double a; };
struct ref { const double *p; float w; };
struct box { char bytes[16]; long kind; };
static __attribute__((noinline)) void put_power(struct box *b, float f, double a) { struct power v = {f, 1, a}; memcpy(b->bytes, &v, sizeof v); b->kind = 0; }
static __attribute__((noinline)) void put_ref(struct box *b, const double *p, float w) { struct ref v = {p, w}; memcpy(b->bytes, &v, sizeof v); b->kind = 1; }
static __attribute__((noinline)) double use(const struct box *b)
{
    if (b->kind) { struct ref r; memcpy(&r, b->bytes, sizeof r); return *r.p * r.w; }
    struct power r; memcpy(&r, b->bytes, sizeof r); return r.a * r.f * r.k;
}
static __attribute__((noinline)) void swap(struct box *a, struct box *b) { struct box t = *a; *a = *b; *b = t; }
double objective(double *x, int n)
{
    struct box *b = calloc(2, sizeof *b);
    put_power(&b[0], (float)x[0], x[1]);
    put_ref(&b[1], &x[2], (float)x[1]);
    swap(&b[0], &b[1]);
    double s = use(&b[0]) + use(&b[1]);
    free(b);
    return s;
}
