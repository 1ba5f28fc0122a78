// check: main flags=-Itests/support
// Tangents of adjoints through a tree on the heap: the memory given back by recursion waits for the reverse sweep.
#include "expect.h"

#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

typedef struct node {
    struct node *left;
    double value;
    struct node *right;
} node;

__attribute__((noinline)) static node *insert(node *t, double value)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->left = t->right = NULL;
        t->value = value;
    } else if (value < t->value)
        t->left = insert(t->left, value);
    else
        t->right = insert(t->right, value * t->value);
    return t;
}

__attribute__((noinline)) static double total(const node *t)
{
    return t ? t->value * t->value + total(t->left) * total(t->right) + 0.5 : 1.0;
}

__attribute__((noinline)) static void drop(node *t)
{
    if (!t)
        return;
    drop(t->left);
    drop(t->right);
    free(t);
}

static double f(const double *x, int n)
{
    double sum = 0.0;
    for (int round = 0; round < 2; round++) {
        node *t = NULL;
        for (int i = 0; i < n; i++)
            t = insert(t, x[(i + round) % n]);
        sum += total(t);
        drop(t);
    }
    return sum;
}

static void gradient(const double *x, double *x_bar, int n)
{
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, n);
}

enum { N = 4 };

int main(void)
{
    double x[N] = {1.1, 0.4, 1.7, 0.8}, v[N] = {0.3, -0.7, 0.2, 1.0}, bar[N] = {0}, bar_dot[N] = {0}, h = 1e-5;
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, bar, bar_dot, enzyme_const, N);
    double up[N] = {0}, down[N] = {0}, at[N];
    for (int i = 0; i < N; i++)
        at[i] = x[i] + h * v[i];
    gradient(at, up, N);
    for (int i = 0; i < N; i++)
        at[i] = x[i] - h * v[i];
    gradient(at, down, N);
    for (int i = 0; i < N; i++)
        EXPECT(fabs(bar_dot[i] - (up[i] - down[i]) / (2 * h)) < 1e-7, 1);
    return expect_failures != 0;
}
