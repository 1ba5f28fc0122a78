// check: array n=6 stopped=-O2-fno-inline
// A word is a number, a count or a pointer; the optimiser adds to all of them what is added to a count (see unfolded_sums).
#include <stdint.h>
#include <math.h>
typedef union { double d; uint64_t u; double *p; } U;
typedef struct { char t; U w; short n; } W;
static uint64_t pass(uint64_t u, int k, int t) { return t == 1 ? u + k : u; }
double objective(double *x, int n) {
    double s = 0.3;
    W w[6];
    for (int i = 0; i < 6; i++) {
        w[i].t = i % 3; w[i].n = i;
        if (w[i].t == 0) w[i].w.d = x[i % n] * 0.5 + 0.1 * i; else w[i].w.u = i * 7;
        if (w[i].t == 2) w[i].w.p = &x[i % n];
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 6; i++) {
            uint64_t u = pass(w[2].w.u, k, w[2].t); w[(i + 1) % 6].w.u = u; w[(i + 1) % 6].t = w[2].t;
        }
    for (int i = 0; i < 6; i++) {
        if (w[i].t == 2) { s += 0.3 * *w[i].w.p; continue; }
        if (w[i].t) s += 0.05 * s * (double)(w[i].w.u % 9);
        else s += 0.4 * sin(w[i].w.d) * (1 + w[i].n % 3);
    }
    return s;
}
