// check: array n=6
// Memory whose type changes, behind two pointers that a function is given or finds: what was read as numbers is written
// as integers, pointers or other numbers afterwards.
#include <math.h>
#include <stdlib.h>

typedef struct {
    double value, weight;
} Pair;
typedef struct {
    double *to;
    long count;
} Link;
typedef struct {
    double *numbers;
    int *indices;
} Workspace;
typedef struct {
    char *memory;
    size_t top;
} Stack;

#define APART __attribute__((noinline)) static

APART double counted(double *a, long *b, int n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += sin(a[i]);
    for (int i = 0; i < 3; i++)
        b[i] = i + n;
    return sum + b[n % 3];
}

APART double scaled(double *a, long *b, int n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += cos(a[i]);
    for (int i = 0; i < 3; i++)
        b[i] = i - n;
    return sum * b[n % 3];
}

APART double linked(Pair *a, Link *b, double *to, int n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += cos(a[i].value) * a[i].weight;
    for (int i = 0; i < 3; i++)
        b[i] = (Link){to + i, i};
    for (int i = 0; i < 3; i++)
        sum += b[i * n % 3].to[0] * b[i].count;
    return sum;
}

APART double single(double *a, float *b, int n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += exp(-a[i]);
    for (int i = 0; i < 6; i++)
        b[i] = i + n;
    return sum + b[n % 3];
}

APART double worked(Workspace *w, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        w->numbers[i] = x[i] * x[i];
    for (int i = 0; i < 3; i++)
        sum += sin(w->numbers[i * n % 3]);
    for (int i = 0; i < 6; i++)
        w->indices[i] = i * n;
    for (int i = 0; i < 6; i++)
        sum += x[w->indices[i] % 5];
    return sum;
}

static void *take(Stack *stack, size_t bytes)
{
    void *taken = stack->memory + stack->top;
    stack->top += bytes;
    return taken;
}

/* The arena is used again, while an argument still leads to what was there. */
APART double again(const double *x, Stack *stack, int n, const double *old)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += cos(old[i * n % 4]) * old[i];
    stack->top = 0;
    int *chosen = take(stack, 32);
    for (int i = 0; i < 8; i++)
        chosen[i] = (i * n + 1) % 6;
    for (int i = 0; i < 8; i++)
        sum += x[chosen[i]];
    return sum;
}

typedef double (*Kind)(double *, long *, int);
static const Kind kinds[2] = {counted, scaled};

static void fill(double *m, const double *x, int count)
{
    for (int i = 0; i < count; i++)
        m[i] = x[i] * x[i];
}

double objective(const double *x, int n)
{
    double sum = 0, to[3] = {x[0], x[1] * x[1], x[2]};
    Stack stack = {malloc(64), 0};
    double *m = take(&stack, 48);
    fill(m, x, 3);
    sum += counted(m, (long *)m, n);
    for (int k = 0; k < 3; k++) {
        fill(m, x + k, 3);
        sum += kinds[(k + n) % 2](m, (long *)m, n);
    }
    fill(m, x, 6);
    sum += linked((Pair *)m, (Link *)m, to, n);
    fill(m, x + 1, 3);
    sum += single(m, (float *)m, n);
    Workspace w = {m, (int *)m};
    sum += worked(&w, x, n) + worked(&w, x + 1, n + 1);
    fill(m, x + 2, 4);
    sum += again(x, &stack, n, m);
    free(stack.memory);
    return sum;
}
