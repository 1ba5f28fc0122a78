// check: array n=6
// Structs pointing to structs pointing to arrays: a matrix as rows allocated one by one.
#include <stdlib.h>

struct row {
    int length;
    double *cells;
};
struct table {
    int rows;
    struct row **row;
};

static struct table *make(const double *x, int n)
{
    struct table *t = malloc(sizeof *t);
    t->rows = n;
    t->row = malloc(n * sizeof *t->row);
    for (int i = 0; i < n; i++) {
        t->row[i] = malloc(sizeof **t->row);
        t->row[i]->length = i + 1;
        t->row[i]->cells = malloc((i + 1) * sizeof(double));
        for (int j = 0; j <= i; j++)
            t->row[i]->cells[j] = x[i] * x[j];
    }
    return t;
}

static void release(struct table *t)
{
    for (int i = 0; i < t->rows; i++) {
        free(t->row[i]->cells);
        free(t->row[i]);
    }
    free(t->row);
    free(t);
}

double objective(const double *x, int n)
{
    struct table *t = make(x, n);
    double sum = 0.0;
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->row[i]->length; j++)
            sum += t->row[i]->cells[j] * t->row[t->rows - 1]->cells[j] / (1 + i + j);
    release(t);
    return sum;
}
