// check: array n=12
// A sparse matrix in compressed rows built from coordinates, a power iteration, the Rayleigh quotient.
#include <math.h>
#include <stdlib.h>

typedef struct { int rows, *start, *column; double *value; } Csr;

static Csr build(const double *v, int n)
{
    Csr m = {n, malloc((n + 1) * sizeof(int)), malloc(3 * n * sizeof(int)), malloc(3 * n * sizeof(double))};
    int at = 0;
    for (int i = 0; i < n; i++) {
        m.start[i] = at;
        for (int k = -1; k <= 1; k++)
            if (i + k >= 0 && i + k < n) {
                m.column[at] = i + k;
                m.value[at++] = k ? -0.5 * v[i] * v[i + k] : 2.0 + v[i];
            }
    }
    m.start[n] = at;
    return m;
}

static void multiply(const Csr *m, const double *x, double *y)
{
    for (int i = 0; i < m->rows; i++) {
        y[i] = 0.0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++)
            y[i] += m->value[k] * x[m->column[k]];
    }
}

double objective(const double *x, int n)
{
    Csr m = build(x, n);
    double *u = malloc(n * sizeof *u), *w = malloc(n * sizeof *w), quotient = 0.0;
    for (int i = 0; i < n; i++)
        u[i] = 1.0;
    for (int it = 0; it < 5; it++) {
        multiply(&m, u, w);
        double norm = 0.0, dot = 0.0;
        for (int i = 0; i < n; i++) {
            norm += w[i] * w[i];
            dot += u[i] * w[i];
        }
        quotient = dot;
        for (int i = 0; i < n; i++)
            u[i] = w[i] / sqrt(norm);
    }
    free(m.start);
    free(m.column);
    free(m.value);
    free(u);
    free(w);
    return quotient;
}
