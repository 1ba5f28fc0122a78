// check: array n=4 tol=1e-5
/* Tagged values by value, on whose integers all operators work: LLVM keeps the words of some as phis of numbers. */
#include <stdint.h>

typedef struct { int t; union { double d; int64_t i; } u; } value;

static double number(value v) { return v.t ? v.u.d : (double)v.u.i; }
static value of_number(double d) { return (value){1, {.d = d}}; }
static value of_count(int64_t i) { return (value){0, {.i = i}}; }

#define OPERATOR(name, expression)                                                  \
    static value name(value a, value b)                                             \
    {                                                                               \
        if (a.t | b.t) return of_number(number(a) * number(b));                     \
        int64_t i = a.u.i, k = b.u.i;                                               \
        return of_count(expression);                                                \
    }                                                                               \
    static double all_##name(const double *x, int n)                                \
    {                                                                               \
        value v = of_count(7);                                                      \
        for (int i = 0; i < n; i++)                                                 \
            v = name(v, i < 2 ? of_count(i + 5) : of_number(x[i] * x[0]));          \
        return number(v);                                                           \
    }

OPERATOR(both, i & k)
OPERATOR(either, i | k)
OPERATOR(apart, i ^ k)
OPERATOR(turned, ~i)
OPERATOR(up, i << 2)
OPERATOR(down, (int64_t)((uint64_t)i >> 1))
OPERATOR(rest, i % k)
OPERATOR(larger, i > k ? i : k)
OPERATOR(smaller, i < k ? i : k)
OPERATOR(low, i & 3)

double objective(double *x, int n)
{
    return all_both(x, n) + 2 * all_either(x, n) + 3 * all_apart(x, n) + 4 * all_turned(x, n) + 5 * all_up(x, n)
         + 6 * all_down(x, n) + 7 * all_rest(x, n) + 8 * all_larger(x, n) + 9 * all_smaller(x, n) + all_low(x, n);
}
