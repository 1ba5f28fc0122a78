/* mlp.c with the products of matrices in tiles: 4 rows by 4 terms at a time, each entry read and written a quarter as
   often. */
#define mlp_objective OBJECTIVE_NAME
#define OWN_AFFINE

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

#include "mlp.c"
