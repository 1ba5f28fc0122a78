// check: array n=6
// Functions return memory that they go on reading in their reverse pass, and whose callers change it meanwhile.
#include <math.h>
#include <stdlib.h>

typedef struct {
    double *items;
    long count;
} Items;
typedef struct Node {
    struct Node *next;
    double *items;
} Node;

static double *squares(const double *x, int n, double *sum)
{
    double *m = malloc(3 * sizeof *m);
    for (int j = 0; j < 3; j++)
        m[j] = x[j] * x[j];
    for (int j = 0; j < 3; j++)
        *sum += sin(m[j * n % 3]);
    return m;
}

/* Calls itself, so that it stays a function. */
static double *deep(const double *x, int n, double *sum)
{
    return n < 0 ? deep(x, n + 1, sum) : squares(x, n, sum);
}

static Items counted(const double *x, int n, double *sum)
{
    if (n < 0)
        return counted(x, n + 1, sum);
    return (Items){squares(x, n, sum) + 1, 3};
}

static size_t address(const double *x, int n, double *sum)
{
    return n < 0 ? address(x, n + 1, sum) : (size_t)squares(x, n, sum);
}

static Node *listed(const double *x, int n, double *sum)
{
    if (n < 0)
        return listed(x, n + 1, sum);
    Node *last = malloc(sizeof *last), *first = malloc(sizeof *first);
    *last = (Node){NULL, squares(x, n, sum)};
    *first = (Node){last, NULL};
    return first;
}

/* What it is given back is changed by its own caller. */
static double *outer(const double *x, int n, double *sum)
{
    double *m = deep(x, n, sum);
    for (int j = 0; j < 3; j++)
        *sum += 0.1 * cos(m[j * n % 3]);
    return n < 0 ? outer(x, n + 1, sum) : m;
}

static double changed(double *m, const double *x, double *sum)
{
    for (int i = 0; i < 4; i++)
        if (11 >> i & 1)
            m[2 * i % 3] = x[3] * x[i % 2];
    *sum += m[0] * m[2] * m[1];
    return m[2];
}

double objective(const double *x, int n)
{
    double sum = 0;
    double *m = deep(x, n, &sum);
    sum += changed(m, x, &sum);
    free(m);
    Items items = counted(x, n + 1, &sum);
    sum += changed(items.items - 1, x, &sum) * items.count;
    free(items.items - 1);
    m = (double *)address(x + 1, n, &sum);
    sum += changed(m, x, &sum);
    free(m);
    Node *first = listed(x + 2, n - 1, &sum);
    sum += changed(first->next->items, x, &sum);
    free(first->next->items);
    free(first->next);
    free(first);
    m = outer(x + 3, n, &sum);
    sum += changed(m, x, &sum);
    free(m);
    return sum;
}
