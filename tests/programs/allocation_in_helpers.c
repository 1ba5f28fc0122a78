// check: array n=6
// Memory made by one helper, filled by another, released by a third.
#include <stdlib.h>

typedef struct {
    size_t length;
    double *data;
} vector;

__attribute__((noinline)) static vector vector_new(size_t length)
{
    vector v = {length, malloc(length * sizeof(double))};
    return v;
}

__attribute__((noinline)) static void vector_fill(vector *v, const double *x)
{
    for (size_t i = 0; i < v->length; i++)
        v->data[i] = x[i] * x[i] + (i ? v->data[i - 1] : 0.0);
}

__attribute__((noinline)) static void vector_free(vector *v)
{
    free(v->data);
    v->data = NULL;
    v->length = 0;
}

double objective(const double *x, int n)
{
    vector v = vector_new(n);
    vector_fill(&v, x);
    double sum = 0.0;
    for (size_t i = 0; i < v.length; i++)
        sum += v.data[i] * v.data[v.length - 1 - i];
    vector_free(&v);
    return sum;
}
