// check: array n=8
// What is added to an integer of a tagged union is zero, or not added, where it holds a number: that is moved then.
#include <stdint.h>
#include <stdlib.h>
typedef struct { int64_t is_int; union { int64_t i; double d; } u; } value;
double objective(const double *x, int n) {
    value *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++) { v[i].is_int = i % 3 == 0; if (i % 3) v[i].u.d = x[i] * x[i]; else v[i].u.i = i; }
    for (int i = 0; i < n; i++) {
        value a = v[i], b = v[(i + 3) % n];
        int64_t r, t;
        if (i & 1) { t = a.is_int; r = a.u.i + (a.is_int ? 5 : 0); }
        else { t = b.is_int; r = b.u.i + (b.is_int ? 7 : 0); }
        w[i].is_int = t; w[i].u.i = r;
    }
    int64_t count = 0; double sum = 0;
    for (int i = 0; i < n; i++) if (!w[i].is_int) sum += w[i].u.d * (i + 1); else count += w[i].u.i;
    free(v); free(w);
    return sum * count;
}
