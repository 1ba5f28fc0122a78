// check: main
// Slots that are pointers and floats in turns, differentiated twice: what pointers left is cleared in both shadows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct slot { int kind; union { float f[2]; float *p; } u; };
static float value(const struct slot *s) { return s->kind == 1 ? *s->u.p * *s->u.p : s->u.f[0] * s->u.f[1]; }
static float objective(float *x, int n)
{
    struct slot *s = malloc(sizeof *s * (size_t)n);
    float *own = malloc(sizeof *own * (size_t)n), sum = 0;
    for (int i = 0; i < n; i++)
        own[i] = x[i] * x[2];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < n; i++) {
            s[i].kind = (i + round) % 2;
            if (s[i].kind == 1)
                s[i].u.p = round / 2 ? &x[i] : &own[i];
            else
                s[i].u.f[0] = x[i] * x[0], s[i].u.f[1] = 1.5f * x[1];
        }
        for (int i = 0; i < n; i++)
            sum += value(&s[i]);
    }
    free(own);
    free(s);
    return sum;
}
extern int enzyme_dup;
float __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
static void gradient(float *x, float *g, int n) { __enzyme_autodiff((void *)objective, enzyme_dup, x, g, n); }
int main(void)
{
    for (int k = 0; k < 5; k++) {
        float x[5] = {.5f, .6f, .7f, .8f, .9f}, g[5] = {0}, dx[5] = {0}, dg[5] = {0}, up[5] = {0}, down[5] = {0};
        dx[k] = 1;
        __enzyme_fwddiff((void *)gradient, enzyme_dup, x, dx, enzyme_dup, g, dg, 5);
        x[k] += 1e-2f;
        gradient(x, up, 5);
        x[k] -= 2e-2f;
        gradient(x, down, 5);
        for (int i = 0; i < 5; i++) {
            float expected = (up[i] - down[i]) / 2e-2f;
            if (!(fabsf(dg[i] - expected) < 1e-2f)) {
                printf("%d, %d: %g, expected %g\n", k, i, dg[i], expected);
                return 1;
            }
        }
    }
    return 0;
}
