// check: array n=6 tol=1e-2 identity=1e-4 step=0.05
// Structure factors of crystals: complex numbers of two precisions first in structs with small integers, matrices by parameter, a lazy table, a union with lanes.
#include <complex.h>
#include <math.h>
#include <string.h>
#define ATOMS(X) X(Na, 11, 0.0f) X(Cl, 17, 0.5f) X(Si, 14, 0.25f)
enum { 
#define X(a, z, f) AT_##a,
ATOMS(X)
#undef X
AT_COUNT };
typedef struct { char sym[3]; signed char z; float frac; } atom;
static const atom atoms[] = {
#define X(a, z, f) {#a, z, f},
ATOMS(X)
#undef X
};
typedef double v4 __attribute__((vector_size(32)));
typedef union { v4 v; double d[4]; struct { double complex lo, hi; }; } lane;
typedef struct { float complex f; short h, k; double occ; } refl;
static double table[AT_COUNT][8]; static int ready;
static double form(int a, int s) { if (!ready) { for (int i = 0; i < AT_COUNT; i++) for (int j = 0; j < 8; j++) table[i][j] = atoms[i].z / 10.0 * exp(-0.1 * j); ready = 1; } return table[a][s & 7]; }
__attribute__((noinline)) static void metric(int n, double g[restrict n][n], const double *restrict c) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) g[i][j] = i == j ? c[i] * c[i] : 0.2 * c[i] * c[j] * cos(c[(i + j) % n]); }
__attribute__((noinline)) static void mul(int n, int m, double (*out)[m], double (*a)[n], double b[n][m]) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { long double s = 0; for (int k = 0; k < n; k++) s += (long double)a[i][k] * b[k][j]; out[i][j] = (double)s; } }
__attribute__((noinline)) static refl reflect(short h, short k, double q, const double *pos) {
    refl r = {0, h, k, 0}; double complex f = 0;
    for (int a = 0; a < AT_COUNT; a++) f += form(a, h + k) * cexp(2 * M_PI * I * (h * pos[a] + k * (double)atoms[a].frac)) * exp(-q * 0.1);
    r.f = (float complex)f; r.occ = cabs(f); return r;
}
static int by_index(refl *base, int n, short h, short k) { int i = 0; while (i < n && (base[i].h != h || base[i].k != k)) i++; return i < n ? i : -1; }
double objective(const double *x, int n) {
    double g[n][n], b[n][2], out[n][2]; metric(n, g, x);
    for (int i = 0; i < n; i++) { b[i][0] = x[i]; b[i][1] = 1 - x[n - 1 - i]; }
    mul(n, 2, out, g, b);
    refl rs[6]; int c = 0;
    for (short h = 0; h < 3; h++) for (short k = 1; k < 3; k++) rs[c++] = reflect(h, k, out[h][k - 1], x + 1);
    for (int i = 1; i < c; i++) { refl t = rs[i]; int j = i; for (; j && rs[j - 1].k < t.k; j--) rs[j] = rs[j - 1]; rs[j] = t; }
    lane acc = {.v = {0, 0, 0, 0}}; 
    for (int i = 0; i < c; i++) { lane l; l.lo = rs[i].f * rs[i].occ; l.hi = conj(l.lo) * (rs[i].h + I * rs[i].k); l.v = l.v * l.v; acc.v += l.v * (double)(i + 1); double t = acc.d[3]; memmove(&acc.d[1], &acc.d[0], 3 * sizeof(double)); acc.d[0] = t; }
    int i = by_index(rs, c, 2, 1); double e = i < 0 ? 0 : rs[i].occ * rs[i].occ;
    return 1e-2 * (acc.d[0] + 2 * acc.d[1] - acc.d[2] + creal(acc.hi * acc.lo) * 1e-2) + e + (double)cargf(rs[0].f) * 0 + (n > 3 ? out[3][1] : 0);
}
