// check: array n=6
// Functions without derivatives write what the memory that they are given leads to.
#include <stdlib.h>
struct inner { long *count; };
struct notes { struct inner *in; int calls; };
__attribute__((noinline, enzyme_inactive)) void note(struct notes *to, int i) {
    to->calls++;
    if (i % 2) *to->in->count += i;
}
double objective(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        long count = 0;
        struct inner in = {&count};
        struct notes notes = {&in, 0};
        note(&notes, i);
        if (count == 0)
            sum += x[i] * x[i];
        else
            sum += x[i] * count * x[(i + count) % n];
        if (notes.calls != 1) abort();
    }
    return sum;
}
