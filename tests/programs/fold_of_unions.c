// check: array n=3 range=0.5:2.0 tol=2e-3 identity=1e-6 step=1e-2
#include <string.h>
typedef struct { long kind; union { float f[2]; double d; const double *p; } as; } res;
static __attribute__((noinline)) double value(const res *r) { return r->kind == 0 ? r->as.d : r->kind == 1 ? r->as.f[0] * r->as.f[1] : *r->as.p; }
static __attribute__((noinline)) void give(res *to, const res *from) { memcpy(to, from, sizeof *to); }
static void fold(const double *x, int lo, int hi, res *out)
{
    res own, l, r;
    memset(&own, 0, sizeof own);
    if (hi - lo == 1) {
        own.kind = lo % 2 ? 2 : 1;
        if (own.kind == 1) { own.as.f[0] = (float)x[lo]; own.as.f[1] = (float)x[0]; }
        else own.as.p = &x[lo];
        give(out, &own);
        return;
    }
    int mid = (lo + hi) / 2;
    fold(x, lo, mid, &l);
    fold(x, mid, hi, &r);
    if (l.kind < r.kind) { res t; give(&t, &l); give(&l, &r); give(&r, &t); }
    double a = value(&l) * value(&r);

    own.kind = hi > 2 ? 0 : 1; if (hi > 2) own.as.d = a; else { own.as.f[0] = (float)a; own.as.f[1] = 2; }
    give(out, &own);
}
double objective(double *x, int n)
{
    res r;
    fold(x, 0, n, &r);
    return value(&r);
}
