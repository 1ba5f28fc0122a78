// check: main stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// The caller's slot is copied to two outboxes, then used again for the other type; seeds are in the outboxes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
typedef struct { long kind; union { float f[2]; double d; } as; } rec;
__attribute__((noinline)) static double use(const rec *r) { return r->kind ? r->as.f[0] * r->as.f[1] : r->as.d * r->as.d; }
__attribute__((noinline)) static void post(rec *to, const rec *from) { memcpy(to, from, sizeof *to); }
static void f(const double *x, rec *slot, rec *out, double *sum)
{
    post(&out[0], slot);
    post(&out[1], slot);
    slot->kind = 1;
    slot->as.f[0] = (float)x[0];
    slot->as.f[1] = (float)x[1];
    *sum += use(slot);
}
__attribute__((noinline)) void ask(double *x, double *x_bar, rec *slot, rec *slot_bar, rec *out, rec *out_bar)
{
    double s = 0, s_bar = 1;
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_dup, slot, slot_bar, enzyme_dup, out, out_bar, enzyme_dup, &s, &s_bar);
}
int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0, 0};
    rec slot = {0, {.d = 2}}, slot_bar = {0, {.d = 0}}, out[2], out_bar[2] = {{0, {.d = 1}}, {0, {.d = 10}}};
    ask(x, x_bar, &slot, &slot_bar, out, out_bar);
    printf("%g want 11; %g %g want 3 2\n", slot_bar.as.d, x_bar[0], x_bar[1]);
    return !(slot_bar.as.d == 11 && x_bar[0] == 3 && x_bar[1] == 2);
}
