// check: array n=6
// Tagged values in two registers, made, passed on, copied and returned: numbers here, counts and vectors there.
#include <stdint.h>
#include <stdlib.h>
struct vec { int refs, len; double at[]; };
typedef struct {
    enum { NUM, INT, VEC } tag;
    union { double d; int64_t i; struct vec *v; };
} value;
static value make(const double *x, int64_t k)
{
    if (k % 3 == 0)
        return (value){NUM, {.d = x[k] * x[1]}};
    if (k % 3 == 1)
        return (value){INT, {.i = k}};
    struct vec *v = malloc(sizeof *v + 3 * sizeof(double));
    v->refs = 1, v->len = 3;
    for (int i = 0; i < 3; i++)
        v->at[i] = x[i] * (double)(i + k);
    return (value){VEC, {.v = v}};
}
static double number(value v) { return v.tag == NUM ? v.d : v.tag == INT ? (double)v.i : v.v->at[0]; }
static double total(value a)
{
    double s = 0;
    if (a.tag == VEC)
        for (int i = 0; i < a.v->len; i++)
            s += a.v->at[i];
    return s + number(a) * 2;
}
static value kept(value a)
{
    if (a.tag == VEC)
        a.v->refs++;
    return a;
}
static void drop(value a)
{
    if (a.tag == VEC && --a.v->refs == 0)
        free(a.v);
}
static value larger(value a, value b) { return number(a) > number(b) ? kept(a) : kept(b); }
double objective(double *x, int n)
{
    double r = 0;
    value *all = malloc((size_t)n * sizeof *all);
    for (int k = 0; k < n; k++) {
        all[k] = make(x, k);
        if (all[k].tag == VEC)
            r += all[k].v->at[1];
    }
    for (int k = 0; k < n; k++) {
        value best = larger(all[k], all[(k + 1) % n]);
        r += (k + 1) * total(best) + number(kept(all[k]));
        drop(best);
        drop(all[k]);
    }
    for (int k = 0; k < n; k++)
        drop(all[k]);
    free(all);
    return r;
}
