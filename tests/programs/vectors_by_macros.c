// check: array n=9
// Vectors, operations and choices by type that are made with macros; integers, weights and numbers in one struct.
#include <math.h>
#include <stdlib.h>
#define VEC(T, N) typedef struct { T *p; size_t n, cap; } N; \
  static void N##_push(N *v, T t) { if (v->n == v->cap) { v->cap = v->cap ? 2 * v->cap : 2; v->p = realloc(v->p, v->cap * sizeof(T)); } v->p[v->n++] = t; } \
  __attribute__((unused)) static T N##_pop(N *v) { return v->p[--v->n]; }
#define OPS X(ADD, a + b) X(MUL, a * b) X(SUB, a - b) X(ATAN, atan2(a, 1 + b * b)) X(HYP, hypot(a, b))
enum op {
#define X(n, e) OP_##n,
    OPS
#undef X
    OP_COUNT
};
typedef struct { enum op op; float weight; double arg; } ins;
VEC(double, dvec)
VEC(ins, ivec)
#define SQ(x) _Generic((x), float: sqf, double: sqd)(x)
static float sqf(float x) { return x * x; }
static double sqd(double x) { return x * x; }
static double run(const ivec *prog, double seed) {
    dvec st = {0};
    dvec_push(&st, seed);
    for (size_t i = 0; i < prog->n; ++i) {
        const ins *in = prog->p + i;
        dvec_push(&st, in->arg);
        double b = dvec_pop(&st), a = dvec_pop(&st), r = 0;
        switch (in->op) {
#define X(n, e) case OP_##n: r = e; break;
            OPS
#undef X
        default: abort();
        }
        dvec_push(&st, r * in->weight + SQ(in->weight) + 0.01 * SQ(r));
    }
    double out = dvec_pop(&st);
    free(st.p);
    return out;
}
double objective(const double *x, int n) {
    ivec prog = {0};
    for (int i = 0; i < n; ++i) ivec_push(&prog, (ins){i % OP_COUNT, (float)(0.5 + 0.1 * i), x[i]});
    double r = run(&prog, x[0]) + run(&prog, x[1] * 2);
    free(prog.p);
    return r;
}
