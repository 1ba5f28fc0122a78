// check: array n=6 mutates=1 stopped=-O0+-O1+-O2+-O2-fno-inline
// The halves of a number stay in registers, merged with integers that are written to the union under a condition.
#include <stdint.h>
#include <math.h>
typedef union { double d; uint64_t u; struct { uint32_t lo, hi; } h; } U;
typedef struct { int t; int n; U w; } W;
double objective(double *x, int n) {
    double s = 0.3;
    W w[6];
    for (int i = 0; i < 6; i++) {
        w[i].t = i % 3 == 1;
        if (w[i].t) w[i].w.u = i * 7; else w[i].w.d = x[i % n] * 0.5 + 0.1 * i;
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 6; i++) {
            if (w[3].t) { w[3].w.h.lo = 5; w[3].w.h.hi = k; }
        }
        for (int i = 0; i < n; i++) x[i] = sin(x[i]);
    }
    for (int i = 0; i < 6; i++) {
        if (w[i].t) s += 0.05 * s * (double)(w[i].w.u % 9);
        else s += 0.4 * sin(w[i].w.d);
    }
    return s;
}
