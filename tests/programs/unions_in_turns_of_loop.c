// check: array n=3 range=0.5:2.0 tol=2e-3 identity=1e-6 step=1e-2
#include <string.h>
#include <stdlib.h>
typedef struct { long kind; union { float f[2]; double d; const double *p; } as; } res;
static __attribute__((noinline)) double value(const res *r) { return r->kind == 0 ? r->as.d : r->kind == 1 ? r->as.f[0] * r->as.f[1] : *r->as.p; }
static __attribute__((noinline)) void give(res *to, const res *from) { memcpy(to, from, sizeof *to); }
double objective(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        res own, l;
        memset(&own, 0, sizeof own);
        own.kind = i % 3;
        if (own.kind == 0) own.as.d = x[i] * x[i];
        else if (own.kind == 1) { own.as.f[0] = (float)x[i]; own.as.f[1] = (float)x[0]; }
        else own.as.p = &x[i];
        give(&l, &own);
        s += value(&l);
    }
    return s;
}
