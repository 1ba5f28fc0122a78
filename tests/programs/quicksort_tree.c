// check: array n=12
// A k-d tree that sorts parts of an array by qsort in a recursive function.
#include <math.h>
#include <stdlib.h>

typedef struct {
    double at[2];
    int id;
} point;

typedef struct node {
    struct node *left, *right;
    point p;
} node;

static int by_x(const void *a, const void *b)
{
    double l = ((const point *)a)->at[0], r = ((const point *)b)->at[0];
    return (l > r) - (l < r);
}

static int by_y(const void *a, const void *b)
{
    double l = ((const point *)a)->at[1], r = ((const point *)b)->at[1];
    return (l > r) - (l < r);
}

static node *build(point *points, int n, int depth)
{
    if (n == 0)
        return NULL;
    qsort(points, n, sizeof *points, depth & 1 ? by_y : by_x);
    node *t = malloc(sizeof *t);
    t->p = points[n / 2];
    t->left = build(points, n / 2, depth + 1);
    t->right = build(points + n / 2 + 1, n - n / 2 - 1, depth + 1);
    return t;
}

static double walk(const node *t, int depth)
{
    if (t == NULL)
        return 0.5;
    double here = t->p.at[0] * t->p.at[1] * (depth + 1 + t->p.id);
    return walk(t->left, depth + 1) * 1.1 + here + walk(t->right, depth + 1) * t->p.at[0];
}

static void drop(node *t)
{
    if (t != NULL) {
        drop(t->left);
        drop(t->right);
        free(t);
    }
}

double objective(const double *x, int n)
{
    point points[6];
    for (int i = 0; i < n / 2; i++)
        points[i] = (point){{sin(6 * x[2 * i]), cos(5 * x[2 * i + 1])}, i};
    node *t = build(points, n / 2, 0);
    double sum = walk(t, 0);
    drop(t);
    return sum;
}
