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
#else
extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
#endif
enum { N = 5, M = 4, ALL = N + M + 1 };

typedef struct {
    const char *name;
    int sharp;
    double (*primal)(double *, double *, int);
    void (*reverse)(double *, double *, double *, double *, int);
    double (*forward)(double *, double *, double *, double *, int);
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

static double next_random(unsigned long *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(*state >> 11) / (double)(1ul << 53);
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
            if (fabs(up - 2 * mid + down) > 1e-9 * scale && s->sharp)
                printf("UNSURE %s kink\n", s->name);
            else
                return printf("FAIL %s finite differences %.10g (+- %.1g), forward %.10g\n", s->name, best, error, jv), 1;
        } else if (error > 1e-3 * scale && s->sharp)
            printf("UNSURE %s error %.2g\n", s->name, error);
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
