/* Checks one function of tests/fuzz: forward against reverse mode, both against finite differences, combined against
   split mode, two directions at once against one at a time, second order against differences of the first.

   Verdicts: PASS, FAIL, UNSURE (a comparison was not possible, with the reason), WILD (the values are no numbers).
   Rounding errors are like changes of the last bits of the inputs, so what such changes do to a result is how exactly it
   can be compared; where that is not exact enough, the function is set aside. */
#include <fenv.h>
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
#define __enzyme_augmentfwd(...) NULL
#define __enzyme_reverse(...) (void)0
#define __enzyme_fwdsplit(...) 0.0
#else
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_out, enzyme_width, enzyme_seed, enzyme_primal_return;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
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
    /* both passes of split mode, which leave the function's x and y in `out` between them */
    void (*split)(double *, double *, double *, double *, int, double *out);
    double (*split_forward)(double *, double *, double *, double *, int, double *out);
    /* y without derivative, in functions that only read it */
    void (*fixed)(double *, double *, double *, int);
    double (*fixed_forward)(double *, double *, double *, int);
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

#define SPLIT(f)                                                                                                       \
    static void f##_split(double *x, double *dx, double *y, double *dy, int n, double *out)                            \
    {                                                                                                                  \
        void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);            \
        take(out, x, y);                                                                                               \
        __enzyme_reverse((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n, 1.0, tape);                 \
    }
#define SPLIT_FORWARD(f)                                                                                               \
    static double f##_split_forward(double *x, double *dx, double *y, double *dy, int n, double *out)                  \
    {                                                                                                                  \
        double none[N + M] = {0};                                                                                      \
        void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, none, enzyme_dup, y, none + N, enzyme_const, n);    \
        take(out, x, y);                                                                                               \
        return __enzyme_fwdsplit((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n, tape);              \
    }
#define FIXED(f)                                                                                                       \
    static void f##_fixed(double *x, double *dx, double *y, int n)                                                     \
    {                                                                                                                  \
        __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, y, enzyme_const, n);                             \
    }                                                                                                                  \
    static double f##_fixed_forward(double *x, double *dx, double *y, int n)                                           \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_const, y, enzyme_const, n);                       \
    }

/* Between both passes of split mode: what the function left there, which is then overwritten. */
static void take(double *out, double *x, double *y)
{
    memcpy(out, x, N * sizeof *x), memcpy(out + N, y, M * sizeof *y);
    for (int i = 0; i < N; i++)
        x[i] = 77 + i;
    for (int i = 0; i < M; i++)
        y[i] = -55 - i;
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
static int check_wide(const Subject *s, const double *in, const double *w, double shaken)
{
    double tolerance = (s->sharp ? 1e-10 : 1e-4) + shaken;
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
static int check_second(const Subject *s, const double *in, const double *v, const double *w, double shaken)
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
    if (fabs(best - sum) <= 1e-4 * scale + 30 * error + shaken)
        return 0;
    double up = gradient_sum(s, in, v, 1e-7, w), down = gradient_sum(s, in, v, -1e-7, w), mid = gradient_sum(s, in, v, 0, w);
    if (fabs(up - 2 * mid + down) > 1e-8 * scale)
        return printf("UNSURE %s kink of the gradient\n", s->name), 0;
    return printf("FAIL %s second order: differences %.10g (+- %.1g), tangent of gradient %.10g\n", s->name, best, error, sum), 1;
}

/* The inputs with other last bits (those of float, if the function uses that): `in (1 + k 2^-52)`, k from -2 to 2. */
static void shake(const Subject *s, const double *in, double *at, int turn)
{
    for (int i = 0; i < N + M; i++)
        at[i] = in[i] * (1 + ((i + turn) % 5 - 2) * (s->sharp ? 0x1p-52 : 0x1p-23));
}

/* The sum of the outputs, with weights. */
static double value_at(const Subject *s, const double *in)
{
    double out[ALL], total = 0;
    run(s, in, out);
    for (int i = 0; i < ALL; i++)
        total += out[i] * (i + 1);
    return total;
}

enum { SHAKES = 4 };

static double margin(const Subject *s)
{
    return s->sharp ? 1000 : 30;
}

/* How far rounding may move the adjoints: what changes of the last bits of the inputs do to them, with a margin. */
static double shaken_adjoints(const Subject *s, const double *in, const double *w, const double *bar)
{
    double most = 0;
    for (int turn = 0; turn < SHAKES; turn++) {
        double at[N + M], other[N + M], sum = 0;
        shake(s, in, at, turn);
        memcpy(other, w, sizeof other);
        s->reverse(at, other, at + N, other + N, N);
        for (int i = 0; i < N + M; i++)
            sum += fabs(other[i] - bar[i]);
        if (!(sum <= most))
            most = sum;
    }
    return margin(s) * most;
}

static double shaken_value(const Subject *s, const double *in, double value)
{
    double most = 0;
    for (int turn = 0; turn < SHAKES; turn++) {
        double at[N + M];
        shake(s, in, at, turn);
        double change = fabs(value_at(s, at) - value);
        if (!(change <= most))
            most = change;
    }
    return margin(s) * most;
}

/* A directional derivative by central differences, extrapolated twice; of many step sizes the one with the least
   estimated error, which is that of truncation (how far two extrapolations differ) and of rounding. */
static double differences(const Subject *s, const double *in, const double *v, const double *w, double size, double *error)
{
    double best = NAN, rounding = (s->sharp ? 0x1p-52 : 0x1p-23) * (1 + size);
    *error = INFINITY;
    for (double h = 2e-2; h > (s->sharp ? 1e-7 : 2e-3); h /= 4) { /* numbers in float make steps */
        double a = central(s, in, v, h, w), b = central(s, in, v, h / 2, w), c = central(s, in, v, h / 4, w);
        double one = (4 * b - a) / 3, two = (4 * c - b) / 3;
        double e = fabs(one - two) + fabs(a - b) * 1e-3 + rounding / h;
        if (e < *error)
            *error = e, best = (16 * two - one) / 15;
    }
    return best;
}

static int leaves(const Subject *s, const char *mode, const double *after, const double *out, double tolerance)
{
    for (int i = 0; i < N + M; i++)
        if (!(fabs(after[i] - out[i]) <= tolerance))
            return printf("FAIL %s %s leaves [%d] %.15g, primal %.15g\n", s->name, mode, i, after[i], out[i]), 1;
    return 0;
}

/* Split mode, with the memory of the arguments overwritten between the passes, against combined mode and forward mode. */
static int check_split(const Subject *s, const double *in, const double *w, const double *bar, const double *out,
                       double tolerance, double exact)
{
    double at[N + M], dot[N + M], want[N + M], between[N + M], r = 0, expected = 0;
    for (int turn = 0; turn < 2; turn++) {
        memcpy(at, in, sizeof at), memcpy(dot, w, sizeof dot), memcpy(want, turn ? w : bar, sizeof want);
        if (turn == 1) {
            expected = s->forward(at, want, at + N, want + N, N);
            memcpy(at, in, sizeof at);
        }
        if ((turn ? (void *)s->split_forward : (void *)s->split) == NULL)
            continue;
        if (turn)
            r = s->split_forward(at, dot, at + N, dot + N, N, between);
        else
            s->split(at, dot, at + N, dot + N, N, between);
        const char *mode = turn ? "fwdsplit" : "split";
        if (leaves(s, mode, between, out, exact))
            return 1;
        for (int i = 0; i < N + M; i++)
            if (!(fabs(dot[i] - want[i]) <= tolerance))
                return printf("FAIL %s %s [%d]: %.15g, else %.15g\n", s->name, mode, i, dot[i], want[i]), 1;
    }
    if (!(fabs(r - expected) <= tolerance || s->split_forward == NULL))
        return printf("FAIL %s fwdsplit result: %.15g, forward %.15g\n", s->name, r, expected), 1;
    return 0;
}

/* y constant against y with a shadow. */
static int check_fixed(const Subject *s, const double *in, const double *w, const double *bar, double tolerance)
{
    double at[N + M], some[N], dot[N + M] = {0}, only[N];
    memcpy(at, in, sizeof at), memcpy(some, w, sizeof some);
    s->fixed(at, some, at + N, N);
    for (int i = 0; i < N; i++)
        if (!(fabs(some[i] - bar[i]) <= tolerance))
            return printf("FAIL %s fixed reverse [%d]: %.15g, with shadow %.15g\n", s->name, i, some[i], bar[i]), 1;
    memcpy(at, in, sizeof at), memcpy(dot, w, sizeof only), memcpy(only, w, sizeof only);
    double want = s->forward(at, dot, at + N, dot + N, N);
    memcpy(at, in, sizeof at);
    double r = s->fixed_forward(at, only, at + N, N);
    if (!(fabs(r - want) <= tolerance))
        return printf("FAIL %s fixed forward: %.15g, with shadow %.15g\n", s->name, r, want), 1;
    for (int i = 0; i < N; i++)
        if (!(fabs(only[i] - dot[i]) <= tolerance))
            return printf("FAIL %s fixed forward [%d]: %.15g, with shadow %.15g\n", s->name, i, only[i], dot[i]), 1;
    return 0;
}

/* Why differences cannot tell here, or NULL. */
static const char *excuse(const Subject *s, const double *in, const double *v, const double *w, double scale, double gap)
{
    double up = projected(s, in, v, 1e-7, w), down = projected(s, in, v, -1e-7, w), mid = projected(s, in, v, 0, w);
    if (s->sharp && fabs(up - 2 * mid + down) > 1e-9 * scale)
        return "kink or jump at the point";
    /* no difference is small enough where the derivative itself changes so fast */
    double change = fabs(tangent_at(s, in, v, 1e-6, w) - tangent_at(s, in, v, -1e-6, w));
    if (s->sharp && change > 1e-3 * scale)
        return "chaotic: the derivative changes within 2e-6";
    /* differences look over a kink beside the point to where the derivative is what they say */
    if (s->sharp && change > 0.5 * gap)
        return "kink within 1e-6 of the point";
    return NULL;
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
        feclearexcept(FE_ALL_EXCEPT);
        run(s, in, out);
        int raised = fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
        double total = 0, size = 0;
        for (int i = 0; i < ALL; i++)
            total += out[i] * (i + 1), size += fabs(out[i]);
        if (!(fabs(total) < 1e4))
            return printf("WILD %s value %g\n", s->name, total), 0;
#ifdef PRIMAL_ONLY
        if (raised)
            return printf("WILD %s infinite or no number on the way\n", s->name), 0;
        printf("VALUE %s %.15g\n", s->name, total);
        continue;
#endif
        (void)raised;
        double exact = s->sharp ? 1e-12 : 1e-5, value_error = shaken_value(s, in, total);
        exact += value_error;
        /* reverse, twice: shadows of x and y are w before and J^T w after */
        double bar[2][N + M], after[N + M], scale = 1;
        size_t used = 0;
        for (int turn = 0; turn < 2; turn++) {
            memcpy(bar[turn], w, sizeof bar[turn]);
            memcpy(after, in, sizeof after);
            if (turn == 1)
                used = mallinfo2().uordblks;
            s->reverse(after, bar[turn], after + N, bar[turn] + N, N);
            if (turn == 1 && mallinfo2().uordblks != used)
                return printf("FAIL %s leak of %ld bytes in reverse mode\n", s->name, (long)(mallinfo2().uordblks - used)), 1;
            if (leaves(s, "reverse", after, out, exact))
                return 1;
        }
        for (int i = 0; i < N + M; i++) {
            scale += fabs(bar[0][i]);
            if (!(fabs(bar[0][i] - bar[1][i]) <= (s->sharp ? 1e-13 : 1e-6) * (1 + fabs(bar[0][i]))))
                return printf("FAIL %s second reverse call: [%d] %.15g, then %.15g\n", s->name, i, bar[0][i], bar[1][i]), 1;
        }
        double shaken = shaken_adjoints(s, in, w, bar[0]), tolerance = (s->sharp ? 1e-9 : 1e-3) * scale + shaken;
        if (!(shaken <= (s->sharp ? 1e-4 : 0.1) * scale)) {
            printf("UNSURE %s ill-conditioned: the last bits of the inputs change adjoints by %.2g\n", s->name, shaken / margin(s));
            continue;
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
            if (leaves(s, "forward", after, out, exact))
                return 1;
            for (int i = 0; i < N + M; i++)
                sum += w[i] * dot[i];
            sum += r;
            if (turn < 0) {
                jv = sum;
                continue;
            }
            if (!(fabs(sum - bar[0][turn]) <= tolerance))
                return printf("FAIL %s d/d[%d]: forward %.12g, reverse %.12g (fd %.8g)\n", s->name, turn, sum, bar[0][turn],
                              ({ double e[N + M] = {0}; e[turn] = 1; central(s, in, e, 1e-5, w); })), 1;
        }
        printf("VALUE %s %.15g %.15g %.3g %.3g\n", s->name, total, jv, value_error, tolerance);
        double error, best = differences(s, in, v, w, size, &error);
        if (!(fabs(best - jv) <= (s->sharp ? 1e-6 : 2e-2) * scale + shaken + 30 * error)) {
            const char *why = excuse(s, in, v, w, scale, fabs(best - jv));
            if (why == NULL)
                return printf("FAIL %s finite differences %.10g (+- %.1g), forward %.10g\n", s->name, best, error, jv), 1;
            printf("UNSURE %s %s\n", s->name, why);
        } else if (error > 1e-3 * scale && s->sharp)
            printf("UNSURE %s differences are good to %.2g only\n", s->name, error);
        if (s->wide_forward != NULL && check_wide(s, in, w, shaken))
            return 1;
        if ((s->split != NULL || s->split_forward != NULL) && check_split(s, in, w, bar[0], out, tolerance, exact))
            return 1;
        if (s->fixed != NULL && check_fixed(s, in, w, bar[0], tolerance))
            return 1;
        if (s->second != NULL && s->sharp && check_second(s, in, v, w, shaken))
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
