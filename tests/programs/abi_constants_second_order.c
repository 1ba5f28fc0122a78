// check: main
// Numbers packed with an integer, with a derivative and without one in turn: two derivatives, and three directions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define NI __attribute__((noinline))
static volatile int many = 4;
typedef struct { int k; float f; double d; } s6;
typedef struct { short a; short b; float f; } s2;
NI static void put(s6 *v, s6 t) { *v = t; }
NI static void put2(s2 *v, s2 t) { *v = t; }
static double f(double x) { s6 *v = malloc(many * sizeof *v); s2 *w = malloc(many * sizeof *w); double r = 0;
  for (int i = 0; i < many; i++) { put(v + i, (s6){i, (float)(x * i), x * x}); put2(w + i, (s2){i, 2, (float)x}); }
  for (int i = 0; i < many; i++) r += v[i].f * v[i].k * v[i].d + w[i].f * w[i].b * v[i].d;
  for (int i = 0; i < many; i++) { put(v + i, (s6){i, .25f * i, x * x * x}); put2(w + i, (s2){i, 3, .5f * i}); }
  for (int i = 0; i < many; i++) r += v[i].f * v[i].k * v[i].d + w[i].f * w[i].b * v[i].d;
  free(v); free(w); return r; }
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
extern int enzyme_width;
typedef struct { double v[3]; } three;
three __enzyme_fwddiff3(void *, ...);
static double gradient(double x) { return __enzyme_autodiff((void *)f, x); }
static double tangent(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
static int wrong;
static void check(const char *what, double found, double expected) {
    if (fabs(found - expected) < 1e-9 * fabs(expected)) return;
    printf("%s: %g, expected %g\n", what, found, expected);
    wrong++;
}
int main(void) {
    // Coefficients of x to the first, second and third, by values that are exact.
    double c3 = (f(3) - 3 * f(2) + 3 * f(1) - f(0)) / 6, c2 = (f(2) - 2 * f(1) + f(0)) / 2 - 3 * c3, c1 = f(1) - f(0) - c2 - c3;
    double first = c1 + 2 * c2 + 3 * c3, second = 2 * c2 + 6 * c3;
    check("forward", tangent(1), first);
    check("reverse", gradient(1), first);
    check("forward over reverse", __enzyme_fwddiff((void *)gradient, 1.0, 1.0), second);
    check("reverse over reverse", __enzyme_autodiff((void *)gradient, 1.0), second);
    check("forward over forward", __enzyme_fwddiff((void *)tangent, 1.0, 1.0), second);
    check("reverse over forward", __enzyme_autodiff((void *)tangent, 1.0), second);
    three lanes = __enzyme_fwddiff3((void *)f, enzyme_width, 3, 1.0, 1.0, 2.0, -1.0);
    for (int i = 0; i < 3; i++) check("width 3", lanes.v[i], first * (const double[]){1, 2, -1}[i]);
    return wrong;
}
