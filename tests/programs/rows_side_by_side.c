// check: array n=40
// Rows of arrays whose width only the run knows, several at once: their adjoints are told apart without a test at run
// time where the rows are, and only there. Rows that overlap, neighbours and sums in one place are among them.
#include <math.h>
#include <stdlib.h>

#define APART __attribute__((noinline)) static

/* Four rows of the product at a time, two terms each. */
APART void product(int rows, int in, int cols, const double *a, const double *w, double *out)
{
    for (int r = 0; r + 3 < rows; r += 4)
        for (int i = 0; i + 1 < in; i += 2)
            for (int c = 0; c < cols; c++) {
                out[(r + 0) * cols + c] += a[(r + 0) * in + i] * w[i * cols + c] + a[(r + 0) * in + i + 1] * w[(i + 1) * cols + c];
                out[(r + 1) * cols + c] += a[(r + 1) * in + i] * w[i * cols + c] + a[(r + 1) * in + i + 1] * w[(i + 1) * cols + c];
                out[(r + 2) * cols + c] += a[(r + 2) * in + i] * w[i * cols + c] + a[(r + 2) * in + i + 1] * w[(i + 1) * cols + c];
                out[(r + 3) * cols + c] += a[(r + 3) * in + i] * w[i * cols + c] + a[(r + 3) * in + i + 1] * w[(i + 1) * cols + c];
            }
}

/* Rows `lead` apart, of `width` elements each: they overlap where that is more. */
APART void over_each_other(int rows, int lead, int width, double *u)
{
    for (int r = 0; r + 1 < rows; r++)
        for (int c = 0; c < width; c++)
            u[(r + 1) * lead + c] *= 0.8 - 0.1 * sin(u[r * lead + c]);
}

/* Each element and the one below it, and both neighbours. */
APART double crossed(int rows, int cols, const double *u)
{
    double sum = 0;
    for (int r = 1; r + 1 < rows; r++)
        for (int c = 1; c + 1 < cols; c++) {
            const double *at = u + r * cols + c;
            sum += at[0] * (at[cols] * at[-cols] + at[1] * at[-1]);
        }
    return sum;
}

/* A column that is added to from a row, and a row from a column. */
APART void transposed(int n, double *m, const double *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i * n + j] += x[j] * m[j * n + i] * x[i];
}

double objective(const double *x, int n)
{
    const int in = 4, cols = n / in, rows = 8;
    double *out = calloc(rows * cols, sizeof *out), *a = malloc(sizeof *a * rows * in), sum = 0;
    for (int k = 0; k < rows * in; k++)
        a[k] = 0.2 * x[k % n] * x[(k * 5 + 1) % n];
    product(rows, in, cols, a, x, out);
    for (int k = 0; k < rows * cols; k++)
        sum += sin(out[k]) * (k % 5 + 1);
    over_each_other(rows, cols, cols, out);
    over_each_other(rows - 2, cols - 2, cols, out);
    over_each_other(4, 1, cols, out);
    over_each_other(4, 0, cols, out);
    sum += crossed(rows, cols, out);
    for (int k = 0; k < rows * cols; k++)
        sum += out[k] * out[k];
    transposed(4, a, x);
    for (int k = 0; k < 16; k++)
        sum += a[k];
    free(out);
    free(a);
    return sum;
}
