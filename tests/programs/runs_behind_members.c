// check: array n=4
// Structs with numbers or pointers in front of an array of integers are copied with as much of it as they have.
#include <stdlib.h>
#include <string.h>
#define NI __attribute__((noinline))
struct weights { double a, b; int count; int places[]; };
struct table { int count; double scale; double *values; short kinds[]; };
struct row { double *values; long count; long places[]; };
static NI void *copied(const void *from, size_t size)
{
    void *to = malloc(size);
    memcpy(to, from, size);
    return to;
}
static NI double of_weights(const double *x, int n)
{
    size_t size = sizeof(struct weights) + n * sizeof(int);
    struct weights *p = malloc(size), *q = malloc(size);
    p->a = x[0] * x[1];
    p->b = x[2] * x[3];
    p->count = n;
    for (int i = 0; i < n; i++)
        p->places[i] = (i * 3 + 1) % n;
    memcpy(q, p, size);
    double sum = q->a;
    for (int i = 0; i < q->count; i++)
        sum += q->b * x[q->places[i]] * (i + 1);
    free(p);
    free(q);
    return sum;
}
static NI double of_table(const double *x, int n)
{
    size_t size = sizeof(struct table) + n * sizeof(short);
    struct table *p = malloc(size);
    p->count = n;
    p->scale = x[1] * x[2];
    p->values = malloc(2 * sizeof(double));
    p->values[0] = x[0] * x[0];
    p->values[1] = x[3];
    for (int i = 0; i < n; i++)
        p->kinds[i] = i % 2;
    struct table *q = malloc(size);
    memcpy(q, p, size);
    double sum = 0;
    for (int i = 0; i < q->count; i++)
        sum += q->values[q->kinds[i]] * q->scale * x[i];
    free(p->values);
    free(p);
    free(q);
    return sum;
}
static NI double of_row(const double *x, int n)
{
    struct row *p = malloc(sizeof(struct row) + n * sizeof(long));
    p->values = malloc(n * sizeof(double));
    p->count = n;
    for (int i = 0; i < n; i++) {
        p->values[i] = x[i] * x[0];
        p->places[i] = n - 1 - i;
    }
    struct row *q = copied(p, sizeof(struct row) + n * sizeof(long));
    double sum = 0;
    for (long i = 0; i < q->count; i++)
        sum += q->values[q->places[i]] * x[i];
    free(p->values);
    free(p);
    free(q);
    return sum;
}
double objective(const double *x, int n) { return of_weights(x, n) + of_table(x, n) * of_row(x, n); }
