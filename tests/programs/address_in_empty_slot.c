// check: array n=2
// An address is put into an integer where that is zero, and followed from there.
// A number is written by a pointer kept in an integer that a function is given the address of.
#include <stdint.h>
static __attribute__((noinline)) void put(double *t, uintptr_t *slot, double q) {
    if (!*slot) *slot = (uintptr_t)t;
    *(double *)*slot = q;
}
double objective(const double *x, int n) {
    uintptr_t root = 0;
    double t[1] = {0};
    put(t, &root, x[0]);
    return t[0] * t[0];
}
