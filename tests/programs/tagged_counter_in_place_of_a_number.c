// check: array n=8
// The counter of the loop is stored in place of a number: it stays a count.
#include <stdint.h>
#include <stdlib.h>
typedef struct { int64_t is_number; union { int64_t i; double d; } u; } value;
double objective(const double *x, int n) {
    value *v = malloc(n * sizeof *v);
    for (int64_t i = 0; i < n; i++) { value one = {i % 3 != 0}; if (i % 3) one.u.d = x[i] * x[i]; else one.u.i = i; v[i] = one; }
    int64_t count = 0; double sum = 0;
    for (int i = 0; i < n; i++) if (v[i].is_number) sum += v[i].u.d; else count += v[i].u.i;
    free(v);
    return sum * count;
}
