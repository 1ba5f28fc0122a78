// check: array n=8,4
// Children, members and complex expansions in one struct: an index of the first array stays in it, also at -O0.
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { P = 7 };
typedef double complex cd;
typedef struct cell { struct cell *quad[4]; cd centre, a[P + 1]; double half, charge; int *members; int count; } cell;

static void binomials(int m, double table[m][m])
{
    for (int i = 0; i < m; i++) { table[i][0] = table[i][i] = 1; for (int j = 1; j < i; j++) table[i][j] = table[i - 1][j - 1] + table[i - 1][j]; }
}
static cell *build(const cd *z, const double *q, const int *which, int count, cd centre, double half, int level)
{
    if (!count) return NULL;
    cell *c = calloc(1, sizeof *c);
    c->centre = centre; c->half = half; c->count = count;
    c->members = memcpy(malloc(count * sizeof(int)), which, count * sizeof(int));
    if (count <= 2 || level > 4) {
        for (int i = 0; i < count; i++) {
            cd d = z[which[i]] - centre, p = 1;
            c->a[0] += q[which[i]];
            for (int k = 1; k <= P; k++) { p *= d; c->a[k] -= q[which[i]] * p / k; }
            c->charge += q[which[i]];
        }
        return c;
    }
    double table[P + 1][P + 1];
    memset(table, 0, sizeof table);
    binomials(P + 1, table);
    for (int s = 0; s < 4; s++) {
        int inside[count], m = 0;
        for (int i = 0; i < count; i++) {
            int k = (creal(z[which[i]]) > creal(centre)) | (cimag(z[which[i]]) > cimag(centre)) << 1;
            if (k == s) inside[m++] = which[i];
        }
        cd sub = centre + half / 2 * ((s & 1 ? 1 : -1) + I * (s & 2 ? 1 : -1));
        cell *k = c->quad[s] = build(z, q, inside, m, sub, half / 2, level + 1);
        if (!k) continue;
        cd z0 = sub - centre, power[P + 1];
        power[0] = 1;
        for (int l = 1; l <= P; l++) power[l] = power[l - 1] * z0;
        c->a[0] += k->a[0]; c->charge += k->charge;
        for (int l = 1; l <= P; l++) {
            c->a[l] -= k->a[0] * power[l] / l;
            for (int m2 = 1; m2 <= l; m2++) c->a[l] += k->a[m2] * power[l - m2] * table[l - 1][m2 - 1];
        }
    }
    return c;
}
static cd potential(const cell *c, cd at, const cd *z, const double *q, int self)
{
    if (!c) return 0;
    cd d = at - c->centre;
    if (cabs(d) > 3 * c->half) {
        cd s = c->a[0] * clog(d), p = 1;
        for (int k = 1; k <= P; k++) { p /= d; s += c->a[k] * p; }
        return s;
    }
    cd s = 0;
    int leaf = 1;
    for (int k = 0; k < 4; k++) if (c->quad[k]) { leaf = 0; s += potential(c->quad[k], at, z, q, self); }
    if (leaf) for (int i = 0; i < c->count; i++) if (c->members[i] != self) s += q[c->members[i]] * clog(at - z[c->members[i]]);
    return s;
}
static void destroy(cell *c) { if (!c) return; for (int k = 0; k < 4; k++) destroy(c->quad[k]); free(c->members); free(c); }
double objective(double *x, int n)
{
    enum { N = 18 };
    cd z[N];
    double q[N];
    int all[N];
    long double energy = 0;
    for (int i = 0; i < N; i++) {
        double r = 0.15 + 0.04 * i;
        z[i] = r * cexp(I * (2.399 * i + 0.02 * x[i % n])) + 0.003 * x[(i + 1) % n];
        q[i] = (i & 1 ? -1 : 1) * (0.5 + 0.2 * x[(i * 5) % n]); all[i] = i;
    }
    cell *root = build(z, q, all, N, 0.0131 + 0.0217 * I, 1.0, 0);
    for (int i = 0; i < N; i++) energy += (long double)(q[i] * creal(potential(root, z[i], z, q, i)));
    energy += root->charge * 0.1L;
    destroy(root);
    return (double)energy;
}
