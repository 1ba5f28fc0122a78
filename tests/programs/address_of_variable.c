// check: array n=2
// The address of a variable is put into an integer where that is zero.
#include <stdint.h>
static double t[1];
static __attribute__((noinline)) void put(uintptr_t *slot, double q) {
    if (!*slot) *slot = (uintptr_t)t;
    *(double *)*slot = q;
}
double objective(const double *x, int n) {
    uintptr_t root = 0;
    put(&root, x[0]);
    return t[0] * t[0];
}
