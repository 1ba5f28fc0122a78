// check: main
// A number is overwritten by zero, a constant and bits through a pointer that leads to one of several arrays, which look like memory that holds pointers, too.
#include <stdio.h>
#include <string.h>
#include <math.h>
static double ga[4], *gp = ga, gg; struct S { double v, *ptr, a[3]; };
typedef struct O O; struct O { double (*m)(const O *); double size, *data; };
static double round_(const O *o) { return o->size * o->size + 0.3 * o->data[0]; }
static double flat_(const O *o) { return 0.4 * o->size * o->data[2]; }
static double two0(double *p, double *q, double s, int k) { double t = 0; O o2[3];
  for (int i = 0; i < 3; i++) o2[i] = (O){i % 2 ? round_ : flat_, s + 0.1 * i, q};
  for (int i = 0; i < 4; i++) { O *at = &o2[(i * 2) % 3]; double *z3 = q[(k + 1) % 3] < -0.0211 ? &p[i % 3] : &at->size; *z3 = 0.7 * sin(*z3 + at->size); t = tanh(at->m(at)); }
  return (hypot(1.1 + (p[(k) % 3]), (t))) / (1.0 + fabs(hypot(1.1 + (p[(k) % 3]), (t)))); }
static const double table[4] = {.3, .9, .5, 1.2};
#define FUNCTION(NAME, WRITE) \
static double NAME(double *x, double *y, int n) { double u[6], c = 0; gg = x[3]; gp = x; struct S r = {.v = y[0], .ptr = y, .a = {x[0], 0.2}}; double a = x[0], b = sin(x[1] * x[2]); \
  for (int i = 0; i < 4; i++) ga[i] = 0.3 * x[i] + 0.1 * i; \
  for (int i = 0; i < 6; i++) u[i] = 0.2 * i + (i < n ? x[i] : 0.1); \
  memmove(gp + 1, ga, 16); \
  for (int i = 1; i < 4; i++) { double *q = (i + n) % 3 == 1 ? u : x; \
    gp[(i + n) % 3] = sin(copysign(r.ptr[0], x[i % 5])); \
    if (i % 2 == 0) q = u; WRITE; \
    c = two0(u + 3, u + 2, u[4], 2); } \
  return a * b + c; }
FUNCTION(cleared, memset(q, 0, sizeof(double)))
FUNCTION(constant, memcpy(q, &table[i], sizeof(double)))
FUNCTION(bits, long z = (long)(n + i) << 52; memcpy(q, &z, sizeof z))
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
#define CHECK(f) \
static int check_##f(void) { for (int n = 3; n < 6; n++) { double x[6] = {.1, .2, -.7, -.9, -1.2, .3}, y[1] = {.4}, g[6] = {1, 2, 4, 8, 16, 32}, gy[1] = {0}; __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_dup, y, gy, enzyme_const, n); \
  double r[2]; for (int k = 0; k < 2; k++) { double z[6] = {.1, .2, -.7, -.9, -1.2, .3}, w[1] = {.4 + (k ? -1e-6 : 1e-6)}; r[k] = f(z, w, n); r[k] += z[0] + 2*z[1] + 4*z[2] + 8*z[3] + 16*z[4]; } \
  if (fabs(gy[0] - (r[0] - r[1]) / 2e-6) > 1e-6) { printf(#f " %d: %g, expected %g\n", n, gy[0], (r[0] - r[1]) / 2e-6); return 1; } } \
  return 0; }
CHECK(cleared)
CHECK(constant)
CHECK(bits)
int main(void) { return check_cleared() + check_constant() + check_bits(); }
