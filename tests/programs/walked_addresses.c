// check: array n=5
// Walks an array by an integer address; stride known at run time only.
#include <stddef.h>
#include <stdint.h>
struct rec {
    double a;
    int k;
    double b;
};
static double sum_field(const void *base, size_t stride, size_t count, size_t off)
{
    double s = 0;
    uintptr_t p = (uintptr_t)base + off, e = (uintptr_t)base + count * stride;
    while (p < e) {
        s += *(const double *)p * *(const double *)p;
        p += stride;
    }
    return s;
}
double objective(const double *x, int n)
{
    struct rec r[16];
    for (int i = 0; i < n; i++)
        r[i] = (struct rec){x[i] * x[i], i, x[i] * 3};
    return sum_field(r, sizeof r[0], n, offsetof(struct rec, b)) +
           sum_field(r, sizeof r[0], n, 0) * sum_field(x, 16, n / 2, 0);
}
