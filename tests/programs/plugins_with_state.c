// check: array n=6 identity=1e-6 tol=1e-4
#include <stdlib.h>
#include <string.h>
struct plugin { void *(*make)(double); void *(*clone)(const void *); double (*run)(void *, double); };
struct A { double gain, bias; };
struct B { float mul; int count; double off; };
static void *make_a(double v) { struct A *a = malloc(sizeof *a); a->gain = v; a->bias = v * 0.1; return a; }
static void *make_b(double v) { struct B *b = malloc(sizeof *b); b->mul = (float)v; b->count = 3; b->off = v; return b; }
static void *clone_a(const void *p) { struct A *a = malloc(sizeof *a); memcpy(a, p, sizeof *a); return a; }
static void *clone_b(const void *p) { struct B *b = malloc(sizeof *b); memcpy(b, p, sizeof *b); return b; }
static double run_a(void *p, double x) { struct A *a = p; return a->gain * x + a->bias; }
static double run_b(void *p, double x) { struct B *b = p; return b->mul * x * b->count + b->off; }
static const struct plugin plugins[2] = {{make_a, clone_a, run_a}, {make_b, clone_b, run_b}};
double objective(double *x, int n)
{
    double s = 0;
    void *state[8]; void *copy[8];
    for (int i = 0; i < n && i < 8; i++) state[i] = plugins[i % 2].make(x[i]);
    for (int i = 0; i < n && i < 8; i++) copy[i] = plugins[i % 2].clone(state[i]);
    for (int i = 0; i < n && i < 8; i++) s += plugins[i % 2].run(state[i], x[0]) * plugins[i % 2].run(copy[i], 1.5);
    for (int i = 0; i < n && i < 8; i++) free(state[i]), free(copy[i]);
    return s;
}
