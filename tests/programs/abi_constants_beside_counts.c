// check: main
// Numbers without a derivative, packed into one word with an integer, where others with one lay before.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NI __attribute__((noinline))
static volatile int many = 5;
typedef struct { short a, b; float w; double arg; } s1;
typedef struct { char a; float w; } s2;
typedef struct { int tag; union { float f; int k; } u; double z; } s4;
typedef struct { float f; int k; } s5;
typedef struct { int k; float f; double d; } s6;
NI static void p1(s1 *v, s1 t) { *v = t; }
NI static void p2(s2 *v, s2 t) { *v = t; }
NI static void p4(s4 *v, s4 t) { *v = t; }
NI static void p5(s5 *v, s5 t) { *v = t; }
NI static s6 mk(int k, float f, double d) { s6 s = {k, f, d}; return s; }
static double shorts(double x) { s1 *v = malloc(many * sizeof *v); double r = 0;
  for (int i = 0; i < many; i++) p1(v + i, (s1){i, 3, (float)(x * (i + 1)), x}); for (int i = 0; i < many; i++) r += v[i].w * v[i].b;
  for (int i = 0; i < many; i++) p1(v + i, (s1){i, 2, .5f + i, x * x}); for (int i = 0; i < many; i++) r += v[i].w * v[i].b * v[i].arg; free(v); return r; }
static double byte(double x) { s2 *v = malloc(many * sizeof *v); double r = 0;
  for (int i = 0; i < many; i++) p2(v + i, (s2){i + 2, (float)(x * (i + 1))}); for (int i = 0; i < many; i++) r += v[i].w * v[i].a;
  for (int i = 0; i < many; i++) p2(v + i, (s2){i + 2, .5f + i}); for (int i = 0; i < many; i++) r += v[i].w * v[i].a * x;
  for (int i = 0; i < many; i++) p2(v + i, (s2){i + 2, .5f}); for (int i = 0; i < many; i++) r += v[i].w * v[i].a * x; free(v); return r; }
static double tagged(double x) { s4 *v = malloc(many * sizeof *v); double r = 0;
  for (int i = 0; i < many; i++) { s4 t = {i, {.f = (float)(x * (i + 1))}, x}; p4(v + i, t); } for (int i = 0; i < many; i++) r += v[i].u.f * (v[i].tag + 1);
  for (int i = 0; i < many; i++) { s4 t = {i, {.k = 3}, x * x}; p4(v + i, t); } for (int i = 0; i < many; i++) r += v[i].u.k * v[i].z;
  for (int i = 0; i < many; i++) { s4 t = {i, {.f = i + .5f}, x * x}; p4(v + i, t); } for (int i = 0; i < many; i++) r += v[i].u.f * v[i].z; free(v); return r; }
static double number_first(double x) { s5 *v = malloc(many * sizeof *v); double r = 0;
  for (int i = 0; i < many; i++) p5(v + i, (s5){(float)(x * (i + 1)), i}); for (int i = 0; i < many; i++) r += v[i].f * (v[i].k + 1);
  for (int i = 0; i < many; i++) p5(v + i, (s5){i + .5f, i}); for (int i = 0; i < many; i++) r += v[i].f * (v[i].k + 1) * x; free(v); return r; }
static double returned(double x) { s6 *v = malloc(many * sizeof *v); double r = 0;
  for (int i = 0; i < many; i++) v[i] = mk(i, (float)x * i, x); for (int i = 0; i < many; i++) r += v[i].f * v[i].k * v[i].d;
  for (int i = 0; i < many; i++) v[i] = mk(i, .25f * i, x * x); for (int i = 0; i < many; i++) r += v[i].f * v[i].k * v[i].d;
  memcpy(v, v + 1, sizeof *v); for (int i = 0; i < many; i++) r += v[i].f * v[i].k * v[i].d; free(v); return r; }
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
static int wrong;
#define CHECK(f) check(#f, __enzyme_fwddiff((void *)f, 1.0, 1.0), __enzyme_autodiff((void *)f, 1.0), f)
static void check(const char *name, double forward, double reverse, double (*f)(double)) {
    // Polynomials of second degree whose values are exact at these places: so are central differences.
    double expected = (f(1.0625) - f(0.9375)) / 0.125;
    if (fabs(forward - expected) < 1e-9 && fabs(reverse - expected) < 1e-9) return;
    printf("%s: forward %g, reverse %g, expected %g\n", name, forward, reverse, expected);
    wrong++;
}
int main(void) {
    CHECK(shorts);
    CHECK(byte);
    CHECK(tagged);
    CHECK(number_first);
    CHECK(returned);
    return wrong;
}
