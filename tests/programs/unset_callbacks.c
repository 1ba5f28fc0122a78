// check: main
// Operations that a struct has room for and that nobody sets are never called: not refused, but a message where one is.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef int (*right_side)(double t, const double *y, double *dy, void *data);
typedef int (*preconditioner)(double t, double *y, double scale, void *data);

struct integrator {
    right_side f;
    preconditioner solve;
    void *data;
    double *y, *slope;
    int n, preconditioned;
};

static void *volatile nothing;

__attribute__((noinline)) static struct integrator *create(const double *y, int n)
{
    struct integrator *made = malloc(sizeof *made);
    made->n = n;
    made->solve = (preconditioner)nothing;
    made->preconditioned = 0;
    made->y = malloc(2 * n * sizeof *y);
    made->slope = made->y + n;
    memcpy(made->y, y, n * sizeof *y);
    return made;
}

__attribute__((noinline)) static int step(struct integrator *m, double t, double h)
{
    if (m->f(t, m->y, m->slope, m->data))
        return -1;
    if (m->preconditioned && m->solve(t, m->slope, h, m->data))
        return -1;
    for (int i = 0; i < m->n; i++)
        m->y[i] += h * m->slope[i];
    return 0;
}

static int decay(double t, const double *y, double *dy, void *data)
{
    const double *rate = data;
    for (int i = 0; i < 3; i++)
        dy[i] = -rate[i] * y[i] + sin(t + y[(i + 1) % 3]);
    return 0;
}

static double end(double *x, int preconditioned)
{
    struct integrator *m = create(x + 3, 3);
    m->f = decay;
    m->data = x;
    m->preconditioned = preconditioned;
    for (int k = 0; k < 10; k++)
        if (step(m, 0.1 * k, 0.1))
            return -1.0;
    const double sum = m->y[0] * m->y[1] + m->y[2];
    free(m->y);
    free(m);
    return sum;
}

int main(void)
{
    double x[6] = {0.3, 0.7, 1.1, 1.0, -0.5, 0.25}, bar[6] = {0.0};
    __enzyme_autodiff((void *)end, enzyme_dup, x, bar, enzyme_const, 0);
    for (int i = 0; i < 6; i++) {
        double up[6], down[6], dot[6] = {0.0};
        memcpy(up, x, sizeof x);
        memcpy(down, x, sizeof x);
        up[i] += 1e-6;
        down[i] -= 1e-6;
        dot[i] = 1.0;
        const double expected = (end(up, 0) - end(down, 0)) / 2e-6;
        if (fabs(bar[i] - expected) > 1e-7 || fabs(__enzyme_fwddiff((void *)end, enzyme_dup, x, dot, 0) - bar[i]) > 1e-12)
            return 1;
    }
    int ends[2];
    if (pipe(ends))
        return 2;
    if (!fork()) {
        dup2(ends[1], 2);
        __enzyme_autodiff((void *)end, enzyme_dup, x, bar, enzyme_const, 1);
        _exit(0);
    }
    close(ends[1]);
    char said[500] = "";
    const long count = read(ends[0], said, sizeof said - 1);
    int status;
    wait(&status);
    return !(count > 0 && WIFSIGNALED(status) && strstr(said, "a call through a pointer reached a function without"));
}
