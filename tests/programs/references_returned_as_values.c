// check: array n=3 range=0.4:1.5
// A function that only returns references as tagged values.
#include <stdlib.h>
#define NI __attribute__((noinline))
typedef struct { long tag; union { double d; double *v; }; } val;
NI static val vec(double *x) { return (val){1, {.v = x}}; }
NI static double as_number(val a) { return a.tag == 0 ? a.d : a.v[1]; }
double objective(double *x, int n)
{
    val all[2] = {{0, {.d = x[0] * x[1]}}, vec(x)};
    double r = 0;
    for (int k = 0; k < 2; k++) r += as_number(all[k]);
    return r;
}
