// check: array n=6,3 with=cells_of_values_part.c
// A spreadsheet: cells hold values of several types (number, integer, vector, error) returned by value, formulas are
// functions with contexts, results are kept until a cell is dirty, vectors are reference counted.
#include <stdint.h>
#include <stdlib.h>
typedef struct vector vector;
typedef struct { uint8_t type; union { double number; int64_t count; vector *vector; const char *error; } u; } value;
typedef struct sheet sheet;
typedef value (*formula)(sheet *s, int cell, const void *context);
sheet *sheet_new(int cells);
void sheet_number(sheet *s, int cell, double number);
void sheet_formula(sheet *s, int cell, formula f, const void *context);
value sheet_value(sheet *s, int cell);
void sheet_free(sheet *s);
value value_add(value a, value b);
value value_scale(value a, double by);
value value_vector(const double *v, int n);
value value_count(value v);
double value_sum(value v);
value value_release(value v);

static value total(sheet *s, int cell, const void *context)
{
    const int *from = context;
    value sum = sheet_value(s, from[0]);
    for (int i = from[0] + 1; i < from[1]; i++) {
        value old = sum;
        sum = value_add(sum, sheet_value(s, i));
        value_release(old);
    }
    return sum;
}

static value series(sheet *s, int cell, const void *context)
{
    const double *x = context;
    double v[3] = {x[0], x[0] * x[1], value_sum(sheet_value(s, cell - 1))};
    return value_vector(v, 3);
}

static value counted(sheet *s, int cell, const void *context)
{
    value v = sheet_value(s, cell - 1), scaled = value_scale(v, *(const double *)context);
    value n = value_count(scaled), r = value_add(scaled, n);
    value_release(scaled);
    return r;
}

double objective(double *x, int n)
{
    sheet *s = sheet_new(n + 4);
    int range[2] = {0, n}, all[2] = {0, n + 3};
    for (int i = 0; i < n; i++)
        sheet_number(s, i, x[i] * (1 + 0.1 * i));
    sheet_formula(s, n, total, range);
    sheet_formula(s, n + 1, series, x);
    sheet_formula(s, n + 2, counted, &x[n - 1]);
    sheet_formula(s, n + 3, total, all);
    double first = value_sum(sheet_value(s, n + 3));
    sheet_number(s, 0, first * 0.01);
    sheet_number(s, n - 1, x[0] * x[0]);
    double second = value_sum(sheet_value(s, n + 3)) * value_sum(sheet_value(s, n + 1));
    sheet_free(s);
    return first + 0.1 * second;
}
