// check: array n=3 real=float tol=1e-3 step=0.01 identity=1e-5 refused=E0110
// Floats whose bits are kept in pointers have nowhere to keep an adjoint.
#include <string.h>

static void *of(float f) { void *p = 0; memcpy(&p, &f, sizeof f); return p; }
static float to(const void *p) { float f; memcpy(&f, &p, sizeof f); return f; }

struct keep { void *now, *before; };

__attribute__((noinline)) static void shift(struct keep *k)
{
    k->before = k->now;
    k->now = 0;
}

float objective(float *x, int n)
{
    struct keep k = {0, 0};
    float sum = 0;
    for (int i = 0; i < n; i++) {
        k.now = of(x[i] * x[0]);
        shift(&k);
        sum += to(k.before) * x[i];
    }
    return sum;
}
