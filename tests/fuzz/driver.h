/* Checks one function of tests/fuzz: reverse against forward mode and both against finite differences. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef PRIMAL_ONLY
/* Only run the function, for the sanitizers. */
#define __enzyme_autodiff(...) (void)0
#define __enzyme_fwddiff(...) 0.0
#define __enzyme_fwddiff_void(...) (void)0
#define __enzyme_fwddiff_wide(...) (wide_t){{0}}
#else
extern int enzyme_dup, enzyme_const, enzyme_width;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
#endif
typedef struct {
    double v[2];
} wide_t;
#ifndef PRIMAL_ONLY
extern wide_t __enzyme_fwddiff_wide(void *, ...);
#endif
enum { N = 5, M = 4, ALL = N + M + 1 };

typedef struct {
    const char *name;
    int sharp;
    double (*primal)(double *, double *, int);
    void (*reverse)(double *, double *, double *, double *, int);
    double (*forward)(double *, double *, double *, double *, int);
    /* x, y, then the two tangents or adjoints of each; only some subjects have these */
    wide_t (*wide_forward)(double *, double *, double *, double *, double *, double *, int);
    void (*wide_reverse)(double *, double *, double *, double *, double *, double *, int);
    /* the tangent of the reverse mode: x, its adjoint, y, its adjoint, each followed by its tangent */
    void (*second)(double *, double *, double *, double *, double *, double *, double *, double *, int);
} Subject;

#define SUBJECT(f)                                                                                                     \
    double f(double *, double *, int);                                                                                 \
    static void f##_reverse(double *x, double *dx, double *y, double *dy, int n)                                       \
    {                                                                                                                  \
        __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);                           \
    }                                                                                                                  \
    static double f##_forward(double *x, double *dx, double *y, double *dy, int n)                                     \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);                     \
    }

#define WIDE(f)                                                                                                        \
    static wide_t f##_wide_forward(double *x, double *y, double *x1, double *x2, double *y1, double *y2, int n)        \
    {                                                                                                                  \
        return __enzyme_fwddiff_wide((void *)f, enzyme_width, 2, enzyme_dup, x, x1, x2, enzyme_dup, y, y1, y2,         \
                                     enzyme_const, n);                                                                 \
    }                                                                                                                  \
    static void f##_wide_reverse(double *x, double *y, double *x1, double *x2, double *y1, double *y2, int n)          \
    {                                                                                                                  \
        __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, x, x1, x2, enzyme_dup, y, y1, y2, enzyme_const, n);  \
    }
#define SECOND(f)                                                                                                      \
    static void f##_second(double *x, double *xd, double *b, double *bd, double *y, double *yd, double *c, double *cd, \
                           int n)                                                                                      \
    {                                                                                                                  \
        __enzyme_fwddiff_void((void *)f##_reverse, enzyme_dup, x, xd, enzyme_dup, b, bd, enzyme_dup, y, yd,            \
                              enzyme_dup, c, cd, enzyme_const, n);                                                     \
    }

static double next_random(unsigned long *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(*state >> 11) / (double)(1ul << 53);
}

/* The directional derivative near a point, by forward mode. */
static double tangent_at(const Subject *s, const double *in, const double *v, double h, const double *w)
{
    double at[N + M], dot[N + M], sum = 0;
    for (int i = 0; i < N + M; i++)
        at[i] = in[i] + h * v[i], dot[i] = v[i];
    double r = s->forward(at, dot, at + N, dot + N, N);
    for (int i = 0; i < N + M; i++)
        sum += w[i] * dot[i];
    return sum + r;
}

/* All outputs: x, y after the call, and the result. */
static void run(const Subject *s, const double *in, double *out)
{
    memcpy(out, in, sizeof(double) * (N + M));
    out[N + M] = s->primal(out, out + N, N);
}

static double projected(const Subject *s, const double *in, const double *v, double h, const double *w)
{
    double at[N + M], out[ALL], sum = 0;
    for (int i = 0; i < N + M; i++)
        at[i] = in[i] + h * v[i];
    run(s, at, out);
    for (int i = 0; i < ALL; i++)
        sum += w[i] * out[i];
    return sum;
}

static double central(const Subject *s, const double *in, const double *v, double h, const double *w)
{
    return (projected(s, in, v, h, w) - projected(s, in, v, -h, w)) / (2 * h);
}

/* Two tangents and two adjoints at once against one at a time. */
static int check_wide(const Subject *s, const double *in, const double *w)
{
    double tolerance = s->sharp ? 1e-10 : 1e-4;
    for (int reverse = 0; reverse < 2; reverse++) {
        double one[2][N + M], two[2][N + M], at[N + M], value[2] = {0, 0};
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < N + M; i++)
                one[k][i] = two[k][i] = w[i] * (k ? 0.3 * i - 1 : 1);
        for (int k = 0; k < 2; k++) {
            memcpy(at, in, sizeof at);
            if (reverse)
                s->reverse(at, one[k], at + N, one[k] + N, N);
            else
                value[k] = s->forward(at, one[k], at + N, one[k] + N, N);
        }
        memcpy(at, in, sizeof at);
        wide_t got = {{0, 0}};
        size_t used = mallinfo2().uordblks;
        if (reverse)
            s->wide_reverse(at, at + N, two[0], two[1], two[0] + N, two[1] + N, N);
        else
            got = s->wide_forward(at, at + N, two[0], two[1], two[0] + N, two[1] + N, N);
        const char *mode = reverse ? "reverse" : "forward";
        if (reverse && mallinfo2().uordblks > used + (1 << 20))
            return printf("FAIL %s wide leak\n", s->name), 1;
        for (int k = 0; k < 2; k++) {
            if (!(fabs(got.v[k] - value[k]) <= tolerance * (1 + fabs(value[k]))))
                return printf("FAIL %s wide %s result %d: %.15g, alone %.15g\n", s->name, mode, k, got.v[k], value[k]), 1;
            for (int i = 0; i < N + M; i++)
                if (!(fabs(one[k][i] - two[k][i]) <= tolerance * (1 + fabs(one[k][i]))))
                    return printf("FAIL %s wide %s lane %d [%d]: %.15g, alone %.15g\n", s->name, mode, k, i, two[k][i],
                                  one[k][i]), 1;
        }
    }
    return 0;
}

/* The weighted sum of the adjoints at a point. */
static double gradient_sum(const Subject *s, const double *in, const double *v, double h, const double *w)
{
    double at[N + M], bar[N + M], sum = 0;
    for (int i = 0; i < N + M; i++)
        at[i] = in[i] + h * v[i], bar[i] = w[i];
    s->reverse(at, bar, at + N, bar + N, N);
    for (int i = 0; i < N + M; i++)
        sum += (1 + 0.37 * i) * bar[i];
    return sum;
}

/* Second order: the tangent of the gradient against differences of the gradient. */
static int check_second(const Subject *s, const double *in, const double *v, const double *w)
{
    double at[N + M], dot[N + M], bar[N + M], bar_dot[N + M] = {0}, sum = 0, scale = 1;
    memcpy(at, in, sizeof at), memcpy(dot, v, sizeof dot), memcpy(bar, w, sizeof bar);
    s->second(at, dot, bar, bar_dot, at + N, dot + N, bar + N, bar_dot + N, N);
    for (int i = 0; i < N + M; i++)
        sum += (1 + 0.37 * i) * bar_dot[i], scale += fabs(bar_dot[i]) + fabs(bar[i]);
    double best = INFINITY, error = INFINITY;
    for (double h = 3e-3; h > 1e-6; h /= 3) {
        double a = (gradient_sum(s, in, v, h, w) - gradient_sum(s, in, v, -h, w)) / (2 * h);
        double b = (gradient_sum(s, in, v, h / 2, w) - gradient_sum(s, in, v, -h / 2, w)) / h;
        if (fabs(a - b) < error)
            error = fabs(a - b), best = (4 * b - a) / 3;
    }
    if (fabs(best - sum) <= 1e-4 * scale + 30 * error)
        return 0;
    double up = gradient_sum(s, in, v, 1e-7, w), down = gradient_sum(s, in, v, -1e-7, w), mid = gradient_sum(s, in, v, 0, w);
    if (fabs(up - 2 * mid + down) > 1e-8 * scale)
        return printf("UNSURE %s kink of the gradient\n", s->name), 0;
    return printf("FAIL %s second order: differences %.10g (+- %.1g), tangent of gradient %.10g\n", s->name, best, error, sum), 1;
}

static int check(const Subject *s)
{
    unsigned long state = 12345;
    for (int point = 0; point < 3; point++) {
        double in[N + M], out[ALL], w[ALL], v[N + M];
        for (int i = 0; i < N + M; i++)
            in[i] = 0.2 + 1.1 * next_random(&state), v[i] = next_random(&state) - 0.5;
        for (int i = 0; i < ALL; i++)
            w[i] = next_random(&state) - 0.3;
        w[N + M] = 1;
        run(s, in, out);
        double total = 0;
        for (int i = 0; i < ALL; i++)
            total += out[i] * (i + 1);
        if (!(fabs(total) < 1e4))
            return printf("WILD %s value %g\n", s->name, total), 0;
#ifdef PRIMAL_ONLY
        continue;
#endif
        printf("VALUE %s %.12g\n", s->name, total);
        double scale = 1;
        /* reverse, twice: shadows of x and y are w before and J^T w after */
        double bar[2][N + M], after[N + M];
        size_t used = 0;
        for (int turn = 0; turn < 2; turn++) {
            memcpy(bar[turn], w, sizeof bar[turn]);
            memcpy(after, in, sizeof after);
            if (turn == 1)
                used = mallinfo2().uordblks;
            s->reverse(after, bar[turn], after + N, bar[turn] + N, N);
            if (turn == 1 && mallinfo2().uordblks != used)
                return printf("FAIL %s leak of %ld bytes in reverse mode\n", s->name, (long)(mallinfo2().uordblks - used)), 1;
            for (int i = 0; i < N + M; i++)
                if (!(fabs(after[i] - out[i]) <= (s->sharp ? 1e-12 : 1e-5)))
                    return printf("FAIL %s reverse leaves [%d] %.15g, primal %.15g\n", s->name, i, after[i], out[i]), 1;
        }
        for (int i = 0; i < N + M; i++) {
            scale += fabs(bar[0][i]);
            if (!(fabs(bar[0][i] - bar[1][i]) <= (s->sharp ? 1e-13 : 1e-6) * (1 + fabs(bar[0][i]))))
                return printf("FAIL %s second reverse call: [%d] %.15g, then %.15g\n", s->name, i, bar[0][i], bar[1][i]), 1;
        }
        /* forward against reverse, per input */
        double jv = 0;
        for (int turn = -1; turn < N + M; turn++) {
            double dot[N + M] = {0}, sum = 0;
            if (turn < 0)
                memcpy(dot, v, sizeof dot);
            else
                dot[turn] = 1;
            memcpy(after, in, sizeof after);
            used = mallinfo2().uordblks;
            double r = s->forward(after, dot, after + N, dot + N, N);
            if (turn > 0 && mallinfo2().uordblks != used)
                return printf("FAIL %s leak of %ld bytes in forward mode\n", s->name, (long)(mallinfo2().uordblks - used)), 1;
            for (int i = 0; i < N + M; i++) {
                sum += w[i] * dot[i];
                if (!(fabs(after[i] - out[i]) <= (s->sharp ? 1e-12 : 1e-5)))
                    return printf("FAIL %s forward leaves [%d] %.15g, primal %.15g\n", s->name, i, after[i], out[i]), 1;
            }
            sum += r;
            if (turn < 0) {
                jv = sum;
                continue;
            }
            if (!(fabs(sum - bar[0][turn]) <= (s->sharp ? 1e-9 : 1e-3) * scale))
                return printf("FAIL %s d/d[%d]: forward %.12g, reverse %.12g (fd %.8g)\n", s->name, turn, sum, bar[0][turn],
                              ({ double e[N + M] = {0}; e[turn] = 1; central(s, in, e, 1e-5, w); })), 1;
        }
        /* finite differences, extrapolated; trusted where two step sizes agree */
        double steps[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5}, best = INFINITY, error = INFINITY;
        for (int k = 0; k < 6; k++) {
            double a = central(s, in, v, steps[k], w), b = central(s, in, v, steps[k] / 2, w);
            double c = central(s, in, v, steps[k] / 4, w), one = (4 * b - a) / 3, two = (4 * c - b) / 3;
            double e = fabs(one - two) + fabs(a - b) * 1e-3;
            if (e < error)
                error = e, best = (16 * two - one) / 15;
        }
        double off = fabs(best - jv), allowed = (s->sharp ? 1e-6 : 2e-2) * scale;
        if (!(off <= allowed + 30 * error)) {
            /* a kink right here? then small steps disagree with each other to both sides */
            double up = projected(s, in, v, 1e-7, w), down = projected(s, in, v, -1e-7, w), mid = projected(s, in, v, 0, w);
            double change = fabs(tangent_at(s, in, v, 1e-6, w) - tangent_at(s, in, v, -1e-6, w));
            if (fabs(up - 2 * mid + down) > 1e-9 * scale && s->sharp)
                printf("UNSURE %s kink\n", s->name);
            else if (change > 1e-3 * scale && s->sharp)
                /* no difference is small enough where the derivative itself changes so fast */
                printf("UNSURE %s chaotic: the derivative changes by %.2g within 2e-6\n", s->name, change);
            else
                return printf("FAIL %s finite differences %.10g (+- %.1g), forward %.10g\n", s->name, best, error, jv), 1;
        } else if (error > 1e-3 * scale && s->sharp)
            printf("UNSURE %s error %.2g\n", s->name, error);
        if (s->wide_forward != NULL && check_wide(s, in, w))
            return 1;
        if (s->second != NULL && s->sharp && check_second(s, in, v, w))
            return 1;
    }
    printf("PASS %s\n", s->name);
    return 0;
}

static int check_all(const Subject *subjects, int count)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            int bad = check(&subjects[i]);
            fflush(stdout);
            _exit(bad);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("FAIL %s killed by signal %d\n", subjects[i].name, WTERMSIG(status));
        failed += status != 0;
    }
    return failed;
}
