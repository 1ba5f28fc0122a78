// check: array n=8,5 range=0.5:1.4 tol=1e-3 identity=1e-5
// Functions that return a pointer and a number in one struct: in loops, in a recursion, with null at the end, with an
// integer beside the number, and for a part of memory that they write to.
#include <stdlib.h>

typedef struct {
    double *p;
    double d;
} cursor;

typedef struct {
    double value;
    const double *at;
} found;

typedef struct {
    int k;
    float f;
    double *p;
} counted;

#define N __attribute__((noinline)) static

N cursor next(cursor c)
{
    c.d *= c.p[1];
    c.p++;
    return c;
}

N found chosen(const double *x, int n)
{
    if (n == 0)
        return (found){0.0, NULL};
    found rest = chosen(x + 1, n - 1);
    if (rest.at != NULL && n % 3 != 0)
        return (found){rest.value + 0.25 * *x * *rest.at, rest.at};
    return (found){*x * *x + rest.value, x};
}

N counted advanced(counted c, int by)
{
    c.f *= (float)c.p[by] * c.k;
    c.p += by;
    *c.p *= c.f;
    return c;
}

N cursor ignored(double *x, int n)
{
    return (cursor){x + n - 1, 2.0};
}

double objective(double *x, int n)
{
    cursor c = {x, x[0]};
    double sum = 0.0;
    for (int i = 0; i + 1 < n; i++) {
        c = next(c);
        sum += c.d * *c.p;
    }
    found f = chosen(x, n);
    sum += f.value * *f.at;
    double *copy = malloc(n * sizeof *copy);
    for (int i = 0; i < n; i++)
        copy[i] = x[i] * x[n - 1 - i];
    counted k = {1, (float)x[1], copy};
    for (int i = 0; i < 3; i++)
        k = advanced(k, 1);
    sum += k.f * k.k * *k.p;
    for (int i = 0; i < n; i++)
        sum += copy[i];
    cursor last = ignored(copy, n);
    sum += last.d * *last.p;
    free(copy);
    return sum;
}
