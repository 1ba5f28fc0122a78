/* mlp.c with the products of matrices in tiles: 4 rows by 4 terms at a time, each entry read and written a quarter as
   often. */
#include "mlp.h"

#include <math.h>
#include <stdlib.h>

enum { TILE = 4 };

/* out = a w + b: a [rows][in], w [in][cols], b [cols] */
static void affine(int rows, int in, int cols, const double *a,
                   const double *w, const double *b, double *out)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            out[r * cols + c] = b[c];
    int r = 0;
    for (; r + TILE <= rows; r += TILE) {
        int i = 0;
        for (; i + TILE <= in; i += TILE)
            for (int c = 0; c < cols; c++) {
                out[(r + 0) * cols + c] = out[(r + 0) * cols + c] + a[(r + 0) * in + i] * w[i * cols + c] +
                                        a[(r + 0) * in + i + 1] * w[(i + 1) * cols + c] +
                                        a[(r + 0) * in + i + 2] * w[(i + 2) * cols + c] +
                                        a[(r + 0) * in + i + 3] * w[(i + 3) * cols + c];
                out[(r + 1) * cols + c] = out[(r + 1) * cols + c] + a[(r + 1) * in + i] * w[i * cols + c] +
                                        a[(r + 1) * in + i + 1] * w[(i + 1) * cols + c] +
                                        a[(r + 1) * in + i + 2] * w[(i + 2) * cols + c] +
                                        a[(r + 1) * in + i + 3] * w[(i + 3) * cols + c];
                out[(r + 2) * cols + c] = out[(r + 2) * cols + c] + a[(r + 2) * in + i] * w[i * cols + c] +
                                        a[(r + 2) * in + i + 1] * w[(i + 1) * cols + c] +
                                        a[(r + 2) * in + i + 2] * w[(i + 2) * cols + c] +
                                        a[(r + 2) * in + i + 3] * w[(i + 3) * cols + c];
                out[(r + 3) * cols + c] = out[(r + 3) * cols + c] + a[(r + 3) * in + i] * w[i * cols + c] +
                                        a[(r + 3) * in + i + 1] * w[(i + 1) * cols + c] +
                                        a[(r + 3) * in + i + 2] * w[(i + 2) * cols + c] +
                                        a[(r + 3) * in + i + 3] * w[(i + 3) * cols + c];
            }
        for (; i < in; i++)
            for (int k = r; k < r + TILE; k++)
                for (int c = 0; c < cols; c++)
                    out[k * cols + c] += a[k * in + i] * w[i * cols + c];
    }
    for (; r < rows; r++)
        for (int i = 0; i < in; i++)
            for (int c = 0; c < cols; c++)
                out[r * cols + c] += a[r * in + i] * w[i * cols + c];
}

static void squash(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = tanh(x[i]);
}

static double cross_entropy(int rows, int cols, const double *z, const int *label)
{
    double loss = 0.0;
    for (int r = 0; r < rows; r++) {
        const double *row = &z[r * cols];
        double top = row[0];
        for (int c = 1; c < cols; c++)
            if (row[c] > top)
                top = row[c];
        double sum = 0.0;
        for (int c = 0; c < cols; c++)
            sum += exp(row[c] - top);
        loss += top + log(sum) - row[label[r]];
    }
    return loss / rows;
}

double OBJECTIVE_NAME(int batch, int in, int mid, int classes,
                     const double *par, const double *rows, const int *label)
{
    const double *w1 = par, *b1 = w1 + in * mid, *w2 = b1 + mid;
    const double *b2 = w2 + mid * mid, *w3 = b2 + mid, *b3 = w3 + mid * classes;
    double *h1 = (double *)malloc(sizeof(double) * batch * mid);
    double *h2 = (double *)malloc(sizeof(double) * batch * mid);
    double *z = (double *)malloc(sizeof(double) * batch * classes);
    affine(batch, in, mid, rows, w1, b1, h1);
    squash(batch * mid, h1);
    affine(batch, mid, mid, h1, w2, b2, h2);
    squash(batch * mid, h2);
    affine(batch, mid, classes, h2, w3, b3, z);
    const double loss = cross_entropy(batch, classes, z, label);
    free(h1);
    free(h2);
    free(z);
    return loss;
}
