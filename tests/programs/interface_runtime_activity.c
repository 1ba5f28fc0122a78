// check: main flags=-Itests/support
// enzyme_runtime_activity: a shadow pointer that is the primal pointer means constant memory.
#include "expect.h"

#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_runtime_activity;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

struct model {
    double *weights, *table;
    struct model *next;
    int n;
};

static APART double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i] * b[i];
    return sum;
}

static APART double loss(struct model *m, double *work)
{
    double total = 1.0;
    for (; m; m = m->next) {
        memcpy(work, m->weights, m->n * sizeof(double));
        double *copy = malloc(m->n * sizeof(double));
        for (int i = 0; i < m->n; i++)
            copy[i] = m->table[i] * work[i];
        total *= dot(m->weights, m->table, m->n) + copy[m->n - 1];
        m->table[0] *= 2.0;
        free(copy);
    }
    return total;
}

static double at(struct model *m, double *work, double *place, double value)
{
    double before = *place, tables[2] = {m->table[0], m->next->table[0]};
    *place = value;
    double result = loss(m, work);
    m->table[0] = tables[0];
    m->next->table[0] = tables[1];
    *place = before;
    return result;
}

int main(void)
{
    double w[2] = {1.5, 2.0}, t[2] = {0.5, 3.0}, v[2] = {0.7, 1.1}, u[2] = {1.2, -2.0}, work[2];
    double w_bar[2] = {0}, u_bar[2] = {0}, work_bar[2] = {0};
    struct model second = {v, u, 0, 2}, first = {w, t, &second, 2};
    struct model second_bar = {v, u_bar, 0, 2}, first_bar = {w_bar, t, &second_bar, 2};
    double value = at(&first, work, &t[0], t[0]), step = 1e-5;
    double slope_w = (at(&first, work, &w[1], w[1] + step) - at(&first, work, &w[1], w[1] - step)) / (2 * step);
    double slope_u = (at(&first, work, &u[0], u[0] + step) - at(&first, work, &u[0], u[0] - step)) / (2 * step);

    __enzyme_autodiff((void *)loss, enzyme_runtime_activity, enzyme_dup, &first, &first_bar, enzyme_dup, work, work_bar);
    EXPECT(fabs(w_bar[1] - slope_w) < 1e-7, 1);
    EXPECT(fabs(u_bar[0] - slope_u) < 1e-7, 1);
    EXPECT(t[0], 1.0);
    EXPECT(u[0], 2.4);
    EXPECT(t[1], 3.0);
    EXPECT(v[0], 0.7);
    t[0] = 0.5;
    u[0] = 1.2;

    double w_dot[2] = {0.0, 1.0}, u_dot[2] = {1.0, 0.0}, work_dot[2] = {0};
    struct model second_dot = {v, u_dot, 0, 2}, first_dot = {w_dot, t, &second_dot, 2};
    double dot_ = __enzyme_fwddiff((void *)loss, enzyme_runtime_activity, &first, &first_dot, work, work_dot);
    EXPECT(fabs(dot_ - slope_w - slope_u) < 1e-7, 1);
    EXPECT(t[0], 1.0);
    t[0] = 0.5;
    u[0] = 1.2;

    double again[2] = {0}, others[2] = {0};
    second_bar.table = others;
    first_bar.weights = again;
    void *tape = __enzyme_augmentfwd((void *)loss, enzyme_runtime_activity, &first, &first_bar, work, work_bar);
    __enzyme_reverse((void *)loss, enzyme_runtime_activity, &first, &first_bar, work, work_bar, 1.0, tape);
    EXPECT(again[1], w_bar[1]);
    EXPECT(others[0], u_bar[0]);
    EXPECT(t[0], 1.0);
    t[0] = 0.5;
    u[0] = 1.2;
    EXPECT(at(&first, work, &t[0], t[0]), value);

    double a[2] = {2.0, 3.0}, b[2] = {4.0, 5.0}, a_bar[2] = {0}, b_bar[2] = {0};
    __enzyme_autodiff((void *)dot, enzyme_runtime_activity, a, a_bar, b, b, 2);
    EXPECT(a_bar[0], 16.0);
    EXPECT(b[0], 4.0);
    __enzyme_autodiff((void *)dot, enzyme_runtime_activity, enzyme_width, 2, a, a, a_bar, b, b_bar, b, 2);
    EXPECT(a_bar[0], 32.0);
    EXPECT(b_bar[1], 9.0);
    EXPECT(a[0], 2.0);
    EXPECT(b[1], 5.0);
    return expect_failures != 0;
}
