// check: array n=8
// What is added to an integer of a tagged union is zero, or not added, where it holds a number: that is moved then.
#include <stdint.h>
#include <stdlib.h>
typedef struct { int64_t is_int; union { int64_t i; double d; } u; } value;
double objective(const double *x, int n) {
    value *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++) { v[i].is_int = i % 3 == 0; if (i % 3) v[i].u.d = x[i] * x[i]; else v[i].u.i = i; }
    for (int i = 0; i < n; i++) {
        value a = v[i];
        if (a.is_int) a.u.i += 5;
        w[i] = a;
    }
    int64_t count = 0; double sum = 0;
    for (int i = 0; i < n; i++) if (!w[i].is_int) sum += w[i].u.d * (i + 1); else count += w[i].u.i;
    free(v); free(w);
    return sum * count;
}
