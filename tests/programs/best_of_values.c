// check: array n=3 range=0.4:1.5
// The best of tagged values, which a loop carries on as if it were a number.
#include <stdlib.h>
#define NI __attribute__((noinline))
typedef struct { int tag; union { double d; double *p; }; } val;
NI static double num(val v) { return v.tag ? *v.p : v.d; }
NI static val best(const double *x, double *y, int n)
{
    val b = {0, {.d = x[0] * x[1]}};
    for (int k = 0; k < n; k++) {
        val c = k % 2 ? (val){0, {.d = x[k % 3]}} : (val){1, {.p = y + k}};
        if (num(c) > num(b))
            b = c;
    }
    return b;
}
double objective(double *x, int n)
{
    double y[3] = {x[0], x[1] * x[2], x[0] * x[2]}, r = 0;
    for (int k = 1; k < 4; k++)
        r += num(best(x, y, k)) * k;
    return r;
}
