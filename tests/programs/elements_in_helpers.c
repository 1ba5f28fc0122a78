// check: array n=6,1,3
// Helpers get pointers to any element of an array: they fill its pointers, and give places in it back.
#include <math.h>
#include <stdlib.h>

struct row {
    double weight, *begin, *end;
};

__attribute__((noinline)) static void make(struct row *row, int length)
{
    row->begin = malloc(length * sizeof *row->begin);
    row->end = row->begin + length;
    row->weight = 1.0 + 0.1 * length;
    for (int i = 0; i < length; i++)
        row->begin[i] = 0.0;
}

__attribute__((noinline)) static double *last(struct row *row) { return row->end - 1; }

__attribute__((noinline)) static double *begin(struct row *row) { return row->begin; }

__attribute__((noinline)) static double *weight(struct row *row) { return &row->weight; }

__attribute__((noinline)) static void scale(struct row **which, double by) { *weight(*which) *= by; }

// Every element is made through one pointer; the second is looked at through helpers only.
__attribute__((noinline)) static double second_only(const double *x, int n)
{
    struct row *rows = malloc(3 * sizeof *rows), *end = rows + 3;
    for (struct row *row = rows; row != end; row++)
        make(row, 3);
    *(last(&rows[1]) - 1) = x[0] * x[n - 1];
    *weight(&rows[1]) += x[0];
    double result = *weight(&rows[1]) * begin(&rows[1])[1];
    for (struct row *row = rows; row != end; row++)
        free(begin(row));
    free(rows);
    return result;
}

// The same where the helper finds the element's address in memory, as with an iterator.
struct iterator {
    struct row *at;
};

__attribute__((noinline)) static void make_next(struct iterator *where, int length) { make(where->at++, length); }

__attribute__((noinline)) static double by_iterator(const double *x, int n)
{
    struct row *rows = malloc(3 * sizeof *rows);
    struct iterator where = {rows};
    for (int i = 0; i < 3; i++)
        make_next(&where, 2);
    *(last(&rows[1]) - 1) = x[0] * x[n - 1];
    double result = *begin(&rows[1]) * *weight(&rows[2]);
    for (int i = 0; i < 3; i++)
        free(begin(&rows[i]));
    free(rows);
    return result;
}

double objective(const double *x, int n)
{
    struct row *rows = malloc(n * sizeof *rows);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        make(&rows[i], n);
        rows[i].begin[i] = x[i] * x[i];
    }
    for (int i = 0; i < n; i++) {
        struct row *chosen = &rows[(i * 5 + 1) % n];
        double before = rows[n - 1].weight;
        *weight(&rows[i]) *= x[i];
        scale(&chosen, sin(x[i]));
        *last(&rows[i]) += x[n - 1] * before * rows[n - 1].weight;
    }
    for (int i = 0; i < n; i++) {
        sum += rows[i].weight * rows[i].begin[i] + *last(&rows[i]) * rows[i].begin[n - 1];
        free(rows[i].begin);
    }
    free(rows);
    return sum + second_only(x, n) + by_iterator(x, n);
}
