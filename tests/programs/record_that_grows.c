// check: array n=6,3,2 range=0.3:1.7 lenient=1 tol=1e-3 step=0.02 identity=1e-5
// A record with an array at its end grows by one element at a time.
#include <stdlib.h>
typedef struct { float gain; unsigned count; double items[]; } record;
double objective(double *x, int n)
{
    record *r = malloc(sizeof *r);
    r->gain = (float)x[0]; r->count = 0;
    for (int i = 0; i < n; i++) {
        r = realloc(r, sizeof *r + (r->count + 1) * sizeof *r->items);
        r->items[r->count++] = x[i] * x[i];
    }
    double s = 0;
    for (unsigned i = 0; i < r->count; i++) s += r->gain * r->items[i];
    free(r);
    return s;
}
