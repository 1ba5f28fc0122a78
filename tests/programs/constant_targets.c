// check: main flags=-Itests/support
// Copies to and from memory that may have been passed as constant: what has no derivative goes there, nothing is spoilt.
// Where numbers with derivatives do, and may be read again, the program ends.
#include "expect.h"
#include "stops.h"
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    double a;
    double *at;
    double b[12];
} record;

__attribute__((noinline)) static double moves(double *x, double *c, int pick, int n)
{
    double *target = pick & 1 ? x : c, *source = pick & 2 ? x : c;
    memmove(target + 1, source, n * sizeof(double));
    double first = target[1] * source[2];
    memset(target, 0, sizeof(double));
    return first + x[0] * x[1] + target[2] * target[2] + c[1] * x[3];
}

__attribute__((noinline)) static double records(record *x, record *c, int pick)
{
    record *target = pick & 1 ? x : c, *source = pick & 2 ? x : c, local = *source;
    memcpy(target, source, sizeof(record));
    double sum = 0;
    for (int i = 4; i < 12; i++)
        sum += local.b[i];
    return local.a * target->b[3] + target->at[1] * x->b[3] + local.at[0] + sum;
}

__attribute__((noinline)) static double grown(double *x, double *c, int pick, int n)
{
    double *p = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        p[i] = x[i] * x[i];
    double *q = pick ? p : c;
    q = realloc(q, 2 * n * sizeof(double));
    for (int i = n; i < 2 * n; i++)
        q[i] = q[i - n] * x[i - n];
    double sum = 0;
    for (int i = 0; i < 2 * n; i++)
        sum += q[i];
    free(q);
    if (!pick)
        free(p);
    return sum;
}

static void check_moves(int pick)
{
    enum { N = 6 };
    double x0[N] = {1.5, 0.7, -0.4, 2.0, 0.3, 0.9}, c0[N] = {0.2, 1.1, 0.8, -0.6, 0.5, 1.3};
    double x[N], c[N], bar[N] = {0}, c_after[N];
    memcpy(x, x0, sizeof x), memcpy(c, c0, sizeof c);
    moves(x, c, pick, 4);
    memcpy(c_after, c, sizeof c);
    memcpy(x, x0, sizeof x), memcpy(c, c0, sizeof c);
    __enzyme_autodiff((void *)moves, enzyme_dup, x, bar, enzyme_const, c, enzyme_const, pick, enzyme_const, 4);
    for (int i = 0; i < N; i++) {
        EXPECT(c[i], c_after[i]);
        double dot[N] = {0};
        dot[i] = 1;
        memcpy(x, x0, sizeof x), memcpy(c, c0, sizeof c);
        double tangent = __enzyme_fwddiff((void *)moves, enzyme_dup, x, dot, enzyme_const, c, enzyme_const, pick, enzyme_const, 4);
        EXPECT(bar[i], tangent);
        EXPECT(c[i], c_after[i]);
        { /* nothing active goes through constant memory: differences tell */
            double up[N], down[N], h = 1e-4, value[2];
            memcpy(up, x0, sizeof x), memcpy(down, x0, sizeof x);
            up[i] += h, down[i] -= h;
            memcpy(c, c0, sizeof c), value[0] = moves(up, c, pick, 4);
            memcpy(c, c0, sizeof c), value[1] = moves(down, c, pick, 4);
            EXPECT(fabs((value[0] - value[1]) / (2 * h) - tangent) < 1e-7, 1);
        }
    }
}

static void check_records(int pick)
{
    double data[2] = {0.6, 1.7}, data_bar[2] = {0}, other[2] = {1.1, -0.3};
    record x0 = {.a = 0.8, .at = data, .b = {1, 2, 3, 4}}, c0 = {.a = 1.9, .at = other, .b = {5, 6, 7, 8}};
    record bar = {.a = 0, .at = data_bar, .b = {0}}, x = x0, c = c0;
    __enzyme_autodiff((void *)records, enzyme_dup, &x, &bar, enzyme_const, &c, enzyme_const, pick);
    for (int i = 0; i < 4; i++) {
        double data_dot[2] = {i == 0, i == 1};
        record dot = {.a = i == 2, .at = data_dot, .b = {0}};
        dot.b[3] = i == 3;
        x = x0, c = c0;
        double tangent = __enzyme_fwddiff((void *)records, enzyme_dup, &x, &dot, enzyme_const, &c, enzyme_const, pick);
        double adjoint = i == 0 ? data_bar[0] : i == 1 ? data_bar[1] : i == 2 ? bar.a : bar.b[3];
        EXPECT(adjoint, tangent);
        if (pick == 1 && i < 2)
            EXPECT(tangent, 0);
        if (pick == 3 && i == 3)
            EXPECT(tangent, x0.a + data[1]);
    }
}

static void check_grown(int pick)
{
    enum { N = 3 };
    double x[N] = {1.5, 0.7, -0.4}, bar[N] = {0};
    double *c = malloc(sizeof x);
    for (int i = 0; i < N; i++)
        c[i] = 0.5 + i;
    __enzyme_autodiff((void *)grown, enzyme_dup, x, bar, enzyme_const, c, enzyme_const, pick, enzyme_const, N);
    if (pick)
        free(c);
    for (int i = 0; i < N; i++) {
        double dot[N] = {0};
        dot[i] = 1;
        c = malloc(sizeof x);
        for (int j = 0; j < N; j++)
            c[j] = 0.5 + j;
        double tangent = __enzyme_fwddiff((void *)grown, enzyme_dup, x, dot, enzyme_const, c, enzyme_const, pick, enzyme_const, N);
        if (pick)
            free(c);
        EXPECT(bar[i], tangent);
        EXPECT(tangent, pick ? 2 * x[i] + 3 * x[i] * x[i] : 0.5 + i);
    }
}

int main(void)
{
    for (int pick = 1; pick < 4; pick += 2) {
        check_moves(pick);
        check_records(pick);
    }
    for (int pick = 0; pick < 4; pick += 2) {
        EXPECT(stops_saying(check_moves, pick, "stored in memory that is constant"), 1);
        EXPECT(stops_saying(check_records, pick, "stored in memory that is constant"), 1);
    }
    check_grown(1);
    check_grown(0);
    return expect_failures != 0;
}
