// check: array n=6 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// Words that are numbers, counts or pointers are returned in a struct of integers.
#include <stdint.h>
#include <math.h>
typedef union { double d; uint64_t u; double *p; } U;
typedef struct { char t; U w; short n; } W;
typedef struct { uint64_t a, b; } P;
__attribute__((noinline)) static P pair(W w, W v) { P z = { w.w.u, v.w.u }; return z; }
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
            P z = pair(w[5], w[i]); w[i].w.u = z.a; w[5].w.u = z.b; int t = w[5].t; w[5].t = w[i].t; w[i].t = t;
        }
    for (int i = 0; i < 6; i++) {
        if (w[i].t == 2) { s += 0.3 * *w[i].w.p; continue; }
        if (w[i].t) s += 0.05 * s * (double)(w[i].w.u % 9);
        else s += 0.4 * sin(w[i].w.d) * (1 + w[i].n % 3);
    }
    return s;
}
