// check: array n=6,3 range=0.4:1.5
// A calculator whose values are numbers, counts, references and errors, by functions that are not inlined.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NI __attribute__((noinline))
struct vec { int len; double at[4]; };
typedef struct { int tag; union { double d; int64_t i; struct vec *v; const char *s; }; } val;
enum { NUM, INT, VEC, STR };
NI static val num(double d) { return (val){NUM, {.d = d}}; }
NI static val integer(int64_t i) { return (val){INT, {.i = i}}; }
NI static val str(const char *s) { return (val){STR, {.s = s}}; }
NI static val vec(const double *x, int n)
{
    struct vec *v = malloc(sizeof *v);
    v->len = n;
    for (int i = 0; i < n; i++)
        v->at[i] = x[i] * x[0];
    return (val){VEC, {.v = v}};
}
NI static double as_number(val a)
{
    switch (a.tag) {
    case NUM: return a.d;
    case INT: return (double)a.i;
    case STR: return (double)strlen(a.s);
    default: {
        double s = 0;
        for (int i = 0; i < a.v->len; i++)
            s += a.v->at[i] * (i + 1);
        return s;
    }
    }
}
NI static val add(val a, val b)
{
    if (a.tag == INT && b.tag == INT)
        return integer(a.i + b.i);
    if (a.tag == VEC) {
        double o = as_number(b);
        for (int i = 0; i < a.v->len; i++)
            a.v->at[i] += o;
        return a;
    }
    return num(as_number(a) + as_number(b));
}
NI static val pick(int c, val a, val b) { return c ? a : b; }
NI static val fold(const val *v, int n)
{
    if (n == 1)
        return v[0];
    val rest = fold(v + 1, n - 1);
    val best = n % 2 ? add(v[0], rest) : pick(n % 3 == 0, rest, v[0]);
    return best.tag == STR ? add(best, rest) : best;
}
double objective(double *x, int n)
{
    val all[7] = {num(x[0] * x[1]), integer(n), vec(x, 3), str("alpha"), num(sin(x[2])), integer(2), vec(x + n - 3, 3)};
    double r = 0;
    for (int k = 1; k <= 7; k++)
        r += as_number(fold(all + 7 - k, k)) * (0.1 + x[k % n]);
    for (int k = 0; k < 7; k++)
        if (all[k].tag == VEC)
            free(all[k].v);
    return r;
}
