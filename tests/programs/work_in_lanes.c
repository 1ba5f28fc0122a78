// check: array n=23
// Items in blocks of LANES, as who writes for vector registers does: the work arrays of a block are matrices, written
// row by row in each block and read in another order, copied from, and filled in one way or the other.
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4, DEEP = 3 };
typedef double Row[LANES];

static double blocks(const double *x, int n, int classes)
{
    Row *centred = malloc(sizeof(Row) * DEEP), *term = malloc(sizeof(Row) * classes), *scaled = malloc(sizeof(Row) * DEEP);
    double total = 0.0;
    for (int p = 0; p < n; p += LANES) {
        for (int c = 0; c < classes; c++) {
            for (int i = 0; i < DEEP; i++)
                for (int l = 0; l < LANES; l++)
                    centred[i][l] = x[(p + l < n ? p + l : n - 1)] - 0.3 * i - 0.1 * c;
            for (int i = DEEP - 1; i >= 0; i--)
                for (int l = 0; l < LANES; l++)
                    scaled[i][l] = x[i] * centred[i][l];
            for (int i = 0; i < DEEP; i++)
                for (int j = i + 1; j < DEEP; j++)
                    for (int l = 0; l < LANES; l++)
                        scaled[j][l] += x[i + j] * centred[i][l];
            Row norm = {0};
            for (int i = 0; i < DEEP; i++)
                for (int l = 0; l < LANES; l++)
                    norm[l] += scaled[i][l] * scaled[i][l];
            for (int l = 0; l < LANES; l++)
                term[c][l] = x[c] - 0.5 * norm[l];
        }
        Row top, sum = {0};
        memcpy(top, term[0], sizeof top);
        for (int c = 1; c < classes; c++)
            for (int l = 0; l < LANES; l++)
                top[l] = term[c][l] > top[l] ? term[c][l] : top[l];
        for (int c = 0; c < classes; c++)
            for (int l = 0; l < LANES; l++)
                sum[l] += exp(term[c][l] - top[l]);
        for (int l = 0; l < LANES; l++)
            total += p + l < n ? top[l] + log(sum[l]) : 0.0;
    }
    free(centred);
    free(term);
    free(scaled);
    return total;
}

/* What one block leaves in the matrix is read in the next one: nothing of it is private. */
static double left_over(const double *x, int n, int width)
{
    double *work = calloc(DEEP * width, sizeof *work), total = 0.0;
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < DEEP; i++)
            for (int j = 0; j < width - (p % 3 == 2); j++)
                work[i * width + j] = x[p] * (i + 1) + work[i * width + j] * 0.25;
        for (int k = 0; k < DEEP * width; k++)
            total += sin(work[k]) * x[k % n];
    }
    free(work);
    return total;
}

/* Filled in one way or the other; the columns are written from the last to the first. */
static double either_way(const double *x, int n, int width)
{
    double *work = malloc(sizeof(double) * DEEP * width), total = 0.0;
    for (int p = 0; p < n; p++) {
        if (p % 4 == 1)
            for (int k = 0; k < DEEP * width; k++)
                work[k] = x[p] + k;
        else
            for (int i = 0; i < DEEP; i++)
                for (int j = width - 1; j >= 0; j--)
                    work[i * width + j] = x[p] * x[(i + j) % n];
        for (int j = 0; j < width; j++)
            for (int i = 0; i < DEEP; i++)
                total += exp(-0.1 * work[i * width + j] * work[i * width + j]);
    }
    free(work);
    return total;
}

double objective(const double *x, int n)
{
    return blocks(x, n, 3) + blocks(x, 2, 1) + left_over(x, n, 4) + either_way(x, n, 5);
}
