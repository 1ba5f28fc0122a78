// check: array n=2
// The same where some slots have been filled by the caller.
#include <stdint.h>
static __attribute__((noinline)) void put(double *t, uintptr_t *slot, double q) {
    if (!*slot) *slot = (uintptr_t)t;
    *(double *)*slot += q;
}
double objective(const double *x, int n) {
    double t[2] = {0};
    uintptr_t a = 0, b = (uintptr_t)(t + 1);
    put(t, &a, x[0]);
    put(t, &b, x[0] * x[1]);
    return t[0] * t[0] * t[1];
}
