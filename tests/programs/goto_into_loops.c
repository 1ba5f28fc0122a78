// check: array n=6,1,3,7
// Loops with two and three ways in, one inside the other, natural loops inside them and around them.
#include <math.h>

__attribute__((noinline)) static double damped(double value, double by)
{
    return sin(value) * exp(-0.1 * by * value);
}

static double two_ways(const double *x, int n, int skip)
{
    double sum = 0.25;
    int i = 0;
    if (skip)
        goto middle;
    while (i < n) {
        sum = damped(sum, x[i]);
    middle:
        sum += x[i] * x[i] * sum;
        for (int k = 0; k < i; k++)
            sum -= 0.1 * x[k] * cos(sum);
        i++;
    }
    return sum;
}

static double three_ways(const double *x, int n, int way)
{
    double a = 1.0, b = 0.5;
    int left = 2 * n;
    if (way == 1)
        goto second;
    if (way == 2)
        goto third;
first:
    a = a * x[(left + n) % n] + b;
    if (--left <= 0)
        return a * b;
second:
    b = damped(a + b, x[(left + n) % n]);
    if (a > 1.5 && left > 1) {
        left -= 2;
        a *= 0.5;
        goto third;
    }
    if (--left <= 0)
        return a + b;
third:
    a += b * x[(left + n) % n];
    if (b > 0.7 && --left > 0)
        goto second;
    goto first;
}

// The inner irreducible loop lies in an outer one, and both are left from inside.
static double nested(const double *x, int n, int inner_first)
{
    double u = x[0], v = x[n - 1];
    int i = 0, j = 0;
    if (inner_first)
        goto inside;
outer:
    u += 0.3 * x[i] * v;
    j = i;
    if (u > 2.0)
        goto shorter;
inner:
    v = v * x[j] + u;
    if (v > 30.0)
        return u * v;
shorter:
    v = 0.5 * v + sin(u);
    if (++j < n)
        goto inner;
inside:
    u = u * 0.9 + x[i] * x[i];
    if (++i < n)
        goto outer;
    return u + v;
}

double objective(const double *x, int n)
{
    double result = 0.0;
    for (int round = 0; round < 3; round++) {
        result += two_ways(x, n, round & 1) * (1 + round);
        result += three_ways(x, n, round);
        result *= nested(x, n, round != 1);
    }
    return result;
}
