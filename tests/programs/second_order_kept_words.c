// check: main
// Hessian times vector where a global variable holds a pointer, memory is copied as words that may be pointers, and
// adjoints have no tangent (they came from the caller and are constant): numbers are no memory from before the call.
#include <math.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
struct pair { double p, q; };
typedef struct { char tag; double a[3]; double v; double *ptr; struct pair in; } part;
typedef struct node { double v; struct node *next; double w; } node;
static double global[4], *pointer = global;

static double through(double *p, double *q, double s, int n, int k)
{
    node *head = NULL;
    for (int i = 0; i < n; i++) {
        node *new = malloc(sizeof *new);
        new->v = p[(k * k) % 3] + i, new->w = 0.3, new->next = head, head = new;
    }
    for (node *m = head; m; m = m->next) {
        m->w = 0.8 * atan(fmin(s, q[(k * k) % 3]));
        double *chosen = m->w * p[(k * k) % 3] > 0.3573 ? &p[(k + n) % 3] : &m->w;
        *chosen = 0.7 * sin(*chosen + p[0]);
        p[(k + 1) % 3] = (atan2(1.3, p[1]) - q[(k * k) % 3] - s) / (1.0 + fabs(q[(k * k) % 3] + s));
    }
    while (head) { node *m = head; head = m->next; free(m); }
    return tanh(s / (1.6 + fabs(q[k % 3])));
}

static double f(double *x, double *y, int n)
{
    double b = sin(x[1] * x[2]), u[6], *h = malloc((n + 2) * sizeof *h);
    pointer = y;
    for (int i = 0; i < n + 2; i++) h[i] = 0.15 * i * x[i % n];
    part r = {.v = global[1], .a = {y[2], pointer[1], 0.2}, .in = {b, 0.7}, .ptr = global, .tag = 3};
    for (unsigned i = 0; i < 3; i++) {
        r.in.p = through(global + 1, h, r.ptr[0], n, 2);
        u[i % 6] = through(global + 1, y + 1, 1.025, n, 3);
        double e[3];
        memcpy(e, y, sizeof e);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2 - i; j++)
                if (e[j] > e[j + 1]) { double t = e[j]; e[j] = e[j + 1]; e[j + 1] = t; }
        pointer[0] = e[0] - 0.5 * e[2] * e[1];
    }
    double sum = h[2] * h[3] + r.v * r.in.p + r.a[1] * r.in.q + u[2] * pointer[0] + x[3] * y[3];
    free(h);
    return sum;
}

static void reverse(double *x, double *x_bar, double *y, double *y_bar, int n)
{
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
}

static const double at[4] = {0.7, 0.4, 0.6, 0.3}, along[4] = {1, -0.5, 0.3, 0.2}, y_seed[4] = {0.6, -0.3, 0.5, 0.2};

static void gradient(double by, double *x_bar)
{
    double x[4], y[4] = {0.1, 0.2, 0.3, 0.4}, y_bar[4];
    memset(x_bar, 0, 4 * sizeof *x_bar);
    memcpy(y_bar, y_seed, sizeof y_bar);
    memset(global, 0, sizeof global);
    for (int i = 0; i < 4; i++) x[i] = at[i] + by * along[i];
    reverse(x, x_bar, y, y_bar, 4);
}

int main(void)
{
    double above[4], below[4], step = 1e-5;
    gradient(step, above);
    gradient(-step, below);
    double x[4], x_dot[4], x_bar[4] = {0}, product[4] = {0};
    double y[4] = {0.1, 0.2, 0.3, 0.4}, y_dot[4] = {0}, y_bar[4], y_bar_dot[4] = {0};
    memcpy(x, at, sizeof x);
    memcpy(x_dot, along, sizeof x_dot);
    memcpy(y_bar, y_seed, sizeof y_bar);
    memset(global, 0, sizeof global);
    __enzyme_fwddiff_void((void *)reverse, enzyme_dup, x, x_dot, enzyme_dup, x_bar, product, enzyme_dup, y, y_dot,
                          enzyme_dup, y_bar, y_bar_dot, enzyme_const, 4);
    for (int i = 0; i < 4; i++) {
        double expected = (above[i] - below[i]) / (2 * step);
        if (!(fabs(product[i] - expected) <= 1e-7 * (1 + fabs(expected))))
            return i + 1;
    }
    return 0;
}
