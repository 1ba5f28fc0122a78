// check: main
// Structs from memory that the request hands over, with a character that nothing reads: copied and put back, the
// members that stand beside it in one piece of the copy keep their types. Reverse against forward mode and differences.
#include <math.h>
#include <stdio.h>

extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

typedef struct {
    double *link;
    double v;
    char tag;
    struct {
        double p, q;
    } in;
} Record;

__attribute__((noinline)) static double visit(Record *r, double *p, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        Record kept = *r;
        total += sin(kept.v * i) * r->link[0];
        p[0] = tanh(p[0] * kept.v);
        r->in.q = 0.3;
        *r = kept;
        total += kept.v + kept.v * kept.in.q;
        r->v *= 0.5;
    }
    return total;
}

static double value(const double *x)
{
    double work[2] = {x[3], 0.2}, link = x[2];
    Record r = {&link, x[0], 'k', {0.4, x[1]}};
    return visit(&r, work, 3) + work[0];
}

int main(void)
{
    double x[4] = {0.7, 1.2, 0.4, 0.9}, bar[4], v[4] = {0.3, -0.8, 0.5, 1.1};
    double work[2] = {x[3], 0.2}, work_bar[2] = {1, 0}, link = x[2], link_bar = 0;
    Record r = {&link, x[0], 'k', {0.4, x[1]}}, r_bar = {&link_bar, 0, 0, {0, 0}};
    __enzyme_autodiff((void *)visit, enzyme_dup, &r, &r_bar, enzyme_dup, work, work_bar, enzyme_const, 3);
    bar[0] = r_bar.v, bar[1] = r_bar.in.q, bar[2] = link_bar, bar[3] = work_bar[0];

    double again[2] = {x[3], 0.2}, dot[2] = {v[3], 0}, link_dot = v[2];
    Record s = {&link, x[0], 'k', {0.4, x[1]}}, s_dot = {&link_dot, v[0], 0, {0, v[1]}};
    double forward = __enzyme_fwddiff((void *)visit, enzyme_dup, &s, &s_dot, enzyme_dup, again, dot, enzyme_const, 3);
    forward += dot[0];

    double reverse = 0, up[4], down[4];
    for (int i = 0; i < 4; i++) {
        reverse += bar[i] * v[i];
        up[i] = x[i] + 1e-5 * v[i], down[i] = x[i] - 1e-5 * v[i];
    }
    double difference = (value(up) - value(down)) / 2e-5;
    if (fabs(forward - reverse) < 1e-12 && fabs(forward - difference) < 1e-7)
        return 0;
    printf("FAIL: reverse %.15g, forward %.15g, differences %.15g\n", reverse, forward, difference);
    return 1;
}
