// check: array n=5
// Expression nodes with reference counts, shared between several parents.
#include <math.h>
#include <stdlib.h>

typedef struct expression {
    int references;
    char operation;
    double value;
    struct expression *left, *right;
} expression;

static expression *make(char operation, double value, expression *left, expression *right)
{
    expression *e = malloc(sizeof *e);
    *e = (expression){1, operation, value, left, right};
    if (left)
        left->references++;
    if (right)
        right->references++;
    return e;
}

static void drop(expression *e)
{
    if (!e || --e->references)
        return;
    drop(e->left);
    drop(e->right);
    free(e);
}

static double evaluate(const expression *e)
{
    switch (e->operation) {
    case '+':
        return evaluate(e->left) + evaluate(e->right);
    case '*':
        return evaluate(e->left) * evaluate(e->right);
    case 's':
        return sin(evaluate(e->left));
    default:
        return e->value;
    }
}

double objective(const double *x, int n)
{
    expression *sum = make('c', 1.0, NULL, NULL);
    for (int i = 0; i < n; i++) {
        expression *leaf = make('c', x[i], NULL, NULL), *wave = make('s', 0.0, leaf, NULL);
        expression *product = make('*', 0.0, wave, sum), *next = make('+', 0.0, product, leaf);
        drop(leaf);
        drop(wave);
        drop(product);
        drop(sum);
        sum = next;
    }
    double result = evaluate(sum);
    drop(sum);
    return result;
}
