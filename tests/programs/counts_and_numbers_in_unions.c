// check: array n=4 range=0.5:2.0
// Tagged values in memory, of which some are numbers and others counts that are made by rounding: each is read as what
// it is, by functions and in one loop, where LLVM merges the stores of both.
#include <stdint.h>
#include <stdlib.h>

struct value {
    int is_count;
    union {
        double number;
        int64_t count;
    } u;
};

__attribute__((noinline)) static struct value number(double d)
{
    struct value v = {0};
    v.u.number = d;
    return v;
}

__attribute__((noinline)) static struct value count(int64_t i)
{
    struct value v = {1};
    v.u.count = i;
    return v;
}

__attribute__((noinline)) static double get(const struct value *v)
{
    return v->is_count ? (double)v->u.count : v->u.number;
}

__attribute__((noinline)) static void scale(struct value *v, int k)
{
    if (v->is_count)
        v->u.count *= k;
    else
        v->u.number *= k;
}

double objective(double *x, int n)
{
    struct value own[8], *a = calloc(2 * n, sizeof *a);
    double s = 0;
    for (int i = 0; i < n; i++) {
        own[i].is_count = i & 1;
        if (i & 1)
            own[i].u.count = i * n;
        else
            own[i].u.number = x[i] * x[0];
        a[2 * i] = number(x[i] * x[0]);
        a[2 * i + 1] = count(i + (int)(3 * x[i]));
    }
    for (int i = 0; i < 2 * n; i++)
        scale(&a[i], i % 3);
    for (int i = 0; i < 2 * n; i++)
        s += get(&a[i]) * (i + 1) * x[i % n];
    for (int i = 0; i < n; i++)
        s += (own[i].is_count ? (double)own[i].u.count : own[i].u.number) * (i + 1) * x[0];
    free(a);
    return s;
}
