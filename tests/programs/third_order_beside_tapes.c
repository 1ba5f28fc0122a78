// check: main
/* Third derivatives beside split mode of the function and of its directional derivative: two tapes of each. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const, enzyme_dupnoneed;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
static double objective(const double *x, int n)
{
    double _Complex z = 1;
    for (int i = 0; i < n; i++) z = z * (1 + 0.01 * I * x[i]);
    return 10 * creal(z * z) + cimag(z);
}
static void grad(const double *x, double *g, int n)
{
    memset(g, 0, n * sizeof *g);
    __enzyme_autodiff((void *)objective, enzyme_dup, x, g, enzyme_const, n);
}
static double vg(const double *x, const double *v, int n)
{
    double *g = malloc((n + 1) * sizeof *g), s = 0;
    grad(x, g, n);
    for (int i = 0; i < n; i++) s += v[i] * g[i];
    free(g);
    return s;
}
static void hvp(const double *x, const double *v, double *g, double *h, int n)
{
    __enzyme_fwddiff((void *)grad, enzyme_dup, x, v, enzyme_dupnoneed, g, h, enzyme_const, n);
}
#define NEW(f, b, ...) __enzyme_augmentfwd((void *)f, enzyme_dup, x, b, __VA_ARGS__ enzyme_const, n)
#define BACK(f, b, t, ...) __enzyme_reverse((void *)f, enzyme_dup, x, b, __VA_ARGS__ enzyme_const, n, 1.0, t)
#define V enzyme_const, v,
static int run(int n)
{
    int wrong = 0;
    double x[3] = {1, 2, 3}, v[3] = {1, 1, 1}, a[3] = {0}, b[3] = {0}, g[3] = {0}, gd[3] = {0}, h[3] = {0}, hd[3] = {0};
    void *s = NEW(objective, a,), *r = NEW(objective, b,);
    BACK(objective, a, s,);
    BACK(objective, b, r,);
    void *p = NEW(vg, a, V), *q = NEW(vg, b, V);
    BACK(vg, a, p, V);
    BACK(vg, b, q, V);
    __enzyme_fwddiff((void *)hvp, enzyme_dup, x, v, enzyme_const, v, enzyme_dupnoneed, g, gd, enzyme_dup, h, hd, enzyme_const, n);
    for (int i = 0; i < n; i++) {
        /* The tapes of the gradient gave h along (1, 1, 1), those of the function the gradient: in both, a and b. */
        double up[3], first[3] = {0}, wanted;
        memcpy(up, x, sizeof up);
        up[i] += 1e-4;
        wanted = vg(up, v, n);
        up[i] -= 2e-4;
        wanted = (wanted - vg(up, v, n)) / 2e-4;
        grad(x, first, n);
        wrong += fabs(h[i] - wanted) > 1e-6 || fabs(a[i] - first[i] - h[i]) > 1e-9 || fabs(a[i] - b[i]) > 1e-12;
    }
    /* hd is the change of h along v. */
    double up[3], down[3], hu[3] = {0}, hl[3] = {0};
    for (int i = 0; i < n; i++) {
        up[i] = x[i] + 1e-4 * v[i];
        down[i] = x[i] - 1e-4 * v[i];
    }
    hvp(up, v, g, hu, n);
    hvp(down, v, g, hl, n);
    for (int i = 0; i < n; i++)
        wrong += fabs(hd[i] - (hu[i] - hl[i]) / 2e-4) > 1e-6;
    return wrong;
}
int main(void)
{
    int wrong = 0;
    for (int n = 0; n < 4; n++) wrong += run(n);
    return wrong;
}
