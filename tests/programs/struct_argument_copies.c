// check: map n=4 m=3
// A struct passed by value in memory is the callee's own; pointers in structs that only travel keep their shadows.
#include <math.h>

struct range {
    double low, high;
};
typedef struct {
    struct range range;
    double weights[3], *origin;
    char tag;
    double value;
} record;

__attribute__((noinline)) static record moved(record r, double *path, double s, int k)
{
    r.range.high = sin(path[k] * s);
    path[0] = r.value * 0.5;
    r.value = r.weights[0] * s;
    return r;
}

void transform(const double *x, double *y, int n, int m)
{
    double copy[8], path[2] = {x[0] * 0.4, x[1]};
    for (int i = 0; i < n; i++)
        copy[i] = x[i];
    record r = {.value = 0.763, .weights = {x[1], x[2], 0.2}, .range = {x[2], 0.7}, .origin = copy, .tag = 3};
    for (int i = 0; i < m; i++) {
        record t = moved(r, path, x[i], 1);
        y[i] = t.value * t.range.high + r.range.high * t.origin[2] + path[0];
        if (i & 1)
            r = t;
        r.origin[1] *= 1.1 * t.origin[0];
    }
    y[0] += r.value * copy[1] * r.tag;
}
