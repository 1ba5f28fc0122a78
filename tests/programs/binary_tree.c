// check: array n=7
// A search tree ordered by the values themselves, folded by recursion.
#include <math.h>
#include <stdlib.h>

typedef struct tree {
    double key;
    struct tree *left, *right;
} tree;

static tree *insert(tree *t, double key)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    return t;
}

static double fold(const tree *t, int depth)
{
    if (!t)
        return 1.0;
    return sin(t->key) + depth * t->key * fold(t->left, depth + 1) * fold(t->right, depth + 1) / 10.0;
}

static void release(tree *t)
{
    if (t) {
        release(t->left);
        release(t->right);
        free(t);
    }
}

double objective(const double *x, int n)
{
    tree *root = NULL;
    for (int i = 0; i < n; i++)
        root = insert(root, x[i]);
    double result = fold(root, 1);
    release(root);
    return result;
}
