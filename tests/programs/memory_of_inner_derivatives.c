// check: main
// Memory that inner derivatives give back at their end: blocks that were moved, nodes freed by other functions. Nothing of
// it or of its shadows is lost (valgrind).
#include <math.h>
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);

static double grown(double x, int n)
{
    double *v = malloc(sizeof *v);
    v[0] = cos(x);
    for (int i = 1; i < n; i++) {
        v = realloc(v, (i + 1) * sizeof *v);
        v[i] = v[i - 1] * x + v[0];
    }
    double r = v[0] * v[n - 1];
    free(v);
    return r;
}

typedef struct node {
    double v;
    struct node *left;
} node;
static node *build(double x, int n)
{
    if (n <= 0)
        return NULL;
    node *t = malloc(sizeof *t);
    t->v = x * x;
    t->left = build(x * .9, n - 1);
    return t;
}
static double fold(const node *t)
{
    return t ? sin(fold(t->left)) * t->v + 1 : 0;
}
static void drop(node *t)
{
    if (t) {
        drop(t->left);
        free(t);
    }
}
static double tree(double x, int n)
{
    node *t = build(x, n);
    double r = fold(t);
    drop(t);
    return r;
}

static double slope_of_grown(double x, int n)
{
    return __enzyme_autodiff((void *)grown, x, n);
}
static double slope_of_tree(double x, int n)
{
    return __enzyme_autodiff((void *)tree, x, n);
}

static int differs(double (*g)(double, int), double derivative, int n)
{
    const double h = 1e-5, x = .5, expected = (g(x + h, n) - g(x - h, n)) / 2 / h;
    return !(fabs(derivative - expected) < 1e-6 * (1 + fabs(expected)));
}

int main(void)
{
    for (int n = 1; n < 6; n++)
        if (differs(slope_of_grown, __enzyme_autodiff((void *)slope_of_grown, .5, n), n) ||
            differs(slope_of_tree, __enzyme_autodiff((void *)slope_of_tree, .5, n), n))
            return n;
    return 0;
}
