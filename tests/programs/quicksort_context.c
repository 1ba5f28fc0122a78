// check: array n=8
// qsort_r with a context of active numbers, ties, sorts in a loop, and sorts of rows of a matrix.
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

typedef struct {
    const double *scale;
    int column, *calls;
} context;

typedef struct {
    char mark;
    double a;
    short count;
    double b, c;
} three;

static int by_column(const void *a, const void *b, void *given)
{
    const context *c = given;
    double l = ((const double *)a)[c->column] * c->scale[0], r = ((const double *)b)[c->column] * c->scale[0];
    ++*c->calls;
    return (l > r) - (l < r);
}

static int by_half(const void *a, const void *b, void *given)
{
    int l = (int)(2 * *(const double *)a), r = (int)(2 * *(const double *)b);
    return *(int *)given * ((l > r) - (l < r));
}

static int by_b(const void *a, const void *b)
{
    const three *p = a, *q = b;
    return p->b < q->b ? -1 : p->b > q->b;
}

double objective(const double *x, int n)
{
    double rows[8][3], sum = 0.0;
    three triples[8];
    int calls = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 3; j++)
            rows[i][j] = sin((j + 2) * x[i] + j);
        triples[i] = (three){'a' + i, x[i], i, cos(9 * x[i]), x[i] * x[i]};
    }
    for (int step = 0; step < 3; step++) {
        context c = {x, step, &calls};
        qsort_r(rows, n, sizeof rows[0], by_column, &c);
        for (int i = 0; i < n; i++) {
            sum += (i + 1) * rows[i][(step + 1) % 3];
            rows[i][step] += 0.25 * rows[(i + 3) % n][step] * rows[i][(step + 2) % 3];
        }
    }
    double values[8];
    for (int i = 0; i < n; i++)
        values[i] = 3 * x[i] + rows[i][0];
    int sign = -1;
    qsort_r(values, n, sizeof *values, by_half, &sign);
    qsort(triples, n, sizeof *triples, by_b);
    for (int i = 0; i < n; i++)
        sum += (i + 1) * values[i] * values[i] + (3 - i) * triples[i].a * triples[i].c * (triples[i].mark - 'a' + triples[i].count);
    return calls > 0 ? sum : 0.0;
}
