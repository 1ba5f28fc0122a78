// check: array n=3 range=0.4:1.5
// What a table holds, or a default, returned by value.
#include <stdlib.h>
#define NI __attribute__((noinline))
typedef struct { long kind; union { double d; double *p; }; } val;
NI static double get(val v) { return v.kind ? *v.p : v.d; }
NI static val lookup(val *v) { return v ? *v : (val){.kind = 0, .d = 0}; }
double objective(double *x, int n)
{
    val t[2] = {{0, {.d = x[2]}}, {1, {.p = x}}};
    return get(lookup(t)) + 2 * get(lookup(t + 1));
}
