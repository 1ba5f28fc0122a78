// check: main flags=-Itests/support
// Members of structs with enzyme_inactive: arrays, structs, first ones, in loops, by pointers, passed on, copied, stored.
#include "expect.h"
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

struct pair { double first, second; };
struct layer {
    double name __attribute__((enzyme_inactive));
    double tau;
    double weights[3] __attribute__((enzyme_inactive));
    struct pair ends __attribute__((enzyme_inactive));
    float scale;
    double last __attribute__((enzyme_inactive));
};

static double by_index(struct layer *l, int n) { double s = 0; for (int i = 0; i < n; i++) s += l[i].name * l[i].tau; return s; }
static double by_pointer(struct layer *l, int n) { double s = 0; for (; n--; l++) s += l->last * l->tau * l->scale; return s; }
static double by_element(struct layer *l, int n) { double s = 0; for (int i = 0; i < 3 * n; i++) s += l[i / 3].weights[i % 3] * l[i / 3].tau; return s; }
static double of_member(struct layer *l, int n) { double s = l->tau; for (int i = 0; i < n; i++) s *= l[i].ends.second + l[i].tau; return s; }
__attribute__((noinline)) static double sum(const double *v, int n) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
static double passed(struct layer *l, int n) { return sum(l->weights, 3) * l->tau * sum(&l[n - 1].tau, 1); }
static double copied(struct layer *l, int n)
{
    struct layer *own = malloc(n * sizeof *own);
    struct pair ends = l[n - 1].ends;
    memcpy(own, l, n * sizeof *own);
    double s = own[n - 1].last * own[0].tau + ends.first * own[n - 1].tau;
    free(own);
    return s;
}
static double stored(struct layer *l, int n)
{
    volatile double *last = &l->last;
    *last = l->tau * n;
    return *last * l->tau;
}

/* The derivative by `tau` of two layers, by differences; nothing else has one but `scale`. */
typedef double function(struct layer *, int);
typedef double forward(struct layer *, struct layer *);
typedef void reverse(struct layer *, struct layer *);
static void check(function *f, forward *tangent_of, reverse *adjoint_of, const char *name)
{
    struct layer l[2] = { { 1.5, 0.4, { 1, 2, 3 }, { 4, 5 }, 2, 6 }, { 2.5, 0.7, { 3, 1, 2 }, { 7, 8 }, 3, 9 } };
    struct layer bar[2], dot[2];
    memset(bar, 0, sizeof bar);
    memset(dot, 0, sizeof dot);
    double want[2], tangent = 0;
    for (int i = 0; i < 2; i++) {
        struct layer up[2], down[2];
        memcpy(up, l, sizeof l);
        memcpy(down, l, sizeof l);
        up[i].tau += 1e-5;
        down[i].tau -= 1e-5;
        want[i] = (f(up, 2) - f(down, 2)) / 2e-5;
        dot[i] = (struct layer) { 1, 0.3 + i, { 1, 1, 1 }, { 1, 1 }, 0, 1 };
        tangent += (0.3 + i) * want[i];
    }
    if (f == stored) want[0] = 2 * 0.4, want[1] = 0, tangent = 0.3 * want[0]; // what is kept in a member is constant
    struct layer before[2];
    memcpy(before, l, sizeof l);
    double got = tangent_of(l, dot);
    memcpy(l, before, sizeof l);
    adjoint_of(l, bar);
    if (fabs(got - tangent) > 1e-7 * (1 + fabs(tangent))) { printf("FAIL: %s: %.15g, expected %.15g\n", name, got, tangent); expect_failures++; }
    for (int i = 0; i < 2; i++) {
        if (fabs(bar[i].tau - want[i]) > 1e-7 * (1 + fabs(want[i]))) { printf("FAIL: %s: %d: %.15g, expected %.15g\n", name, i, bar[i].tau, want[i]); expect_failures++; }
        EXPECT(bar[i].name, 0);
        EXPECT(bar[i].last, 0);
        EXPECT(bar[i].ends.first, 0);
        EXPECT(bar[i].ends.second, 0);
        for (int k = 0; k < 3; k++) EXPECT(bar[i].weights[k], 0);
    }
}

#define CHECKED(f) \
    static double f##_forward(struct layer *l, struct layer *dot) { return __enzyme_fwddiff((void *)f, enzyme_dup, l, dot, enzyme_const, 2); } \
    static void f##_reverse(struct layer *l, struct layer *bar) { __enzyme_autodiff((void *)f, enzyme_dup, l, bar, enzyme_const, 2); } \
    static void f##_check(void) { check(f, f##_forward, f##_reverse, #f); }
CHECKED(by_index)
CHECKED(by_pointer)
CHECKED(by_element)
CHECKED(of_member)
CHECKED(passed)
CHECKED(copied)
CHECKED(stored)
int main(void)
{
    by_index_check();
    by_pointer_check();
    by_element_check();
    of_member_check();
    passed_check();
    copied_check();
    stored_check();
    return expect_failures != 0;
}
