// check: array n=5 range=-2.0:2.0
/* Exponentials with the power of two made in functions of its own: the exponent is constant between jumps. Beside it
   values with a tag, whose integers are numbers that were rounded. */
#include <math.h>
#include <stdint.h>
#include <string.h>

__attribute__((noinline)) static int64_t nearest(double x) { return (int64_t)floor(x + 0.5); }

__attribute__((noinline)) static double power(int64_t n)
{
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static double exponential(double x)
{
    int64_t n = nearest(x * 1.4426950408889634);
    double r = x - n * 0.6931471805599453, term = 1, sum = 1;
    for (int k = 1; k < 14; k++) sum += term *= r / k;
    return sum * power(n);
}

struct value { int tag; union { double number; int64_t count; }; };

__attribute__((noinline)) static void floor_of(struct value *v, double x)
{
    if (x > 0.5) { v->tag = 1; v->count = (int64_t)(x * 3); }
    else { v->tag = 0; v->number = x * x; }
}

double objective(double *x, int n)
{
    struct value v[8];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        floor_of(&v[i], x[i]);
        sum += exponential(x[i] * x[(i + 1) % n]);
    }
    for (int i = 0; i < n; i++) sum += (v[i].tag ? v[i].count : v[i].number) * x[i];
    return sum;
}
