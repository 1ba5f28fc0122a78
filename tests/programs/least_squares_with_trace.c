// check: array n=8,6
// Levenberg-Marquardt as a library: callbacks with void pointers, triangular packed matrices, workspace by alloca, trace through a FILE-like sink, matrices in row-pointer, flat and VLA form.
#include <alloca.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int lm_residual(void *user, const double *p, int np, double *r, double **J, int nr);
typedef void lm_trace(void *sink, const char *fmt, ...);
struct lm_options { int maxit; double mu0, tol; lm_trace *trace; void *sink; };
#define LM_DEFAULTS { .maxit = 6, .mu0 = 0.1, .tol = 1e-30 }
enum lm_code { LM_OK, LM_MAXIT, LM_SINGULAR, LM_USER };
static const char *lm_text[] = { [LM_OK] = "converged", [LM_MAXIT] = "too many iterations", [LM_SINGULAR] = "singular", [LM_USER] = "user" };
#define L(i, j) packed[(i) * ((i) + 1) / 2 + (j)]

static bool ldl(int n, double *packed, double *b)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++) L(j, j) -= L(j, k) * L(j, k) * L(k, k);
        if (fabs(L(j, j)) < 1e-14) return false;
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) L(i, j) -= L(i, k) * L(j, k) * L(k, k);
            L(i, j) /= L(j, j);
        }
    }
    for (int i = 0; i < n; i++) for (int k = 0; k < i; k++) b[i] -= L(i, k) * b[k];
    for (int i = 0; i < n; i++) b[i] /= L(i, i);
    for (int i = n - 1; i >= 0; i--) for (int k = i + 1; k < n; k++) b[i] -= L(k, i) * b[k];
    return true;
}
static enum lm_code lm(lm_residual *f, void *user, double *p, int np, int nr, const struct lm_options *opt, double *cost)
{
    struct lm_options o = opt ? *opt : (struct lm_options)LM_DEFAULTS;
    double r[nr], flat[nr * np], *J[nr], *packed = alloca(sizeof(double) * np * (np + 1) / 2), g[np], trial[np];
    double mu = o.mu0;
    for (int i = 0; i < nr; i++) J[i] = flat + i * np;
    for (int it = 0; it < o.maxit; it++) {
        if (f(user, p, np, r, J, nr)) return LM_USER;
        double c = 0;
        for (int i = 0; i < nr; i++) c += r[i] * r[i];
        for (int a = 0; a < np; a++) {
            g[a] = 0;
            for (int i = 0; i < nr; i++) g[a] -= J[i][a] * r[i];
            for (int b = 0; b <= a; b++) {
                double *e = &L(a, b);
                *e = a == b ? mu : 0;
                for (int i = 0; i < nr; i++) *e += J[i][a] * J[i][b];
            }
        }
        if (!ldl(np, packed, g)) return LM_SINGULAR;
        for (int a = 0; a < np; a++) trial[a] = p[a] + g[a];
        if (f(user, trial, np, r, NULL, nr)) return LM_USER;
        double c2 = 0;
        for (int i = 0; i < nr; i++) c2 += r[i] * r[i];
        if (o.trace) o.trace(o.sink, "%2d cost %.6e mu %.2e %s\n", it, c, mu, c2 < c ? "ok" : "rejected");
        if (c2 < c) { memcpy(p, trial, sizeof trial); mu /= 3; *cost = c2; } else mu *= 2;
        if (c2 < o.tol) return LM_OK;
    }
    return LM_MAXIT;
}
struct station { double e, n; };
struct survey { const struct station *st; const double *dist; int count; double scale; unsigned calls; };
static int ranges(void *user, const double *p, int np, double *r, double **J, int nr)
{
    struct survey *s = user;
    if (nr != s->count || np != 3) return -1;
    s->calls++;
    for (int i = 0; i < nr; i++) {
        double de = p[0] - s->st[i].e, dn = p[1] - s->st[i].n, d = sqrt(de * de + dn * dn + 0.1);
        r[i] = s->scale * (d + p[2] - s->dist[i]);
        if (J) { J[i][0] = s->scale * de / d; J[i][1] = s->scale * dn / d; J[i][2] = s->scale; }
    }
    return 0;
}
struct sink { char text[512]; size_t len; };
static void sink_printf(void *v, const char *fmt, ...)
{
    struct sink *s = v;
    va_list ap;
    va_start(ap, fmt);
    int k = vsnprintf(s->text + s->len, sizeof s->text - s->len, fmt, ap);
    va_end(ap);
    if (k > 0) s->len += k;
    if (s->len >= sizeof s->text) s->len = sizeof s->text - 1;
}
double objective(double *x, int n)
{
    static const struct station st[] = { { 0, 0 }, { 3, 0 }, { 0, 4 }, { 5, 5 }, { -2, 3 }, { 1, -3 }, { 4, 2 }, { 2, 6 } };
    double p[3] = { 1, 1, 0 }, cost = 0, out;
    struct survey s = { st, x, n, 1 + 0.1 * x[0], 0 };
    struct sink sk = { .len = 0 };
    struct lm_options o = LM_DEFAULTS;
    o.trace = sink_printf; o.sink = &sk;
    double d[n];
    for (int i = 0; i < n; i++) d[i] = 2 + x[i] * (1 + 0.3 * i);
    s.dist = d;
    enum lm_code c = lm(ranges, &s, p, 3, n, &o, &cost);
    out = p[0] + 2 * p[1] * p[2] + cost + 0.01 * s.calls + (c == LM_MAXIT ? 0 : 0.5) + 1e-3 * strlen(lm_text[c]);
    return out + (sk.len > 10) * 1e-2;
}
