// check: main flags=-Itests/support
// Tangents from a tape begin with the shadow pointers that the augmented pass began with, also where these were null and
// were overwritten several times: a buffer of an argument that grows, a list in a variable, a stack that is empty at
// first. Against forward mode, and
// twice from one tape.
#include <stdlib.h>

#include "expect.h"

extern int enzyme_dup, enzyme_nofree;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    double *work;
    int room;
} State;

__attribute__((noinline)) static double step(State *s, const double *x, int n)
{
    if (n > s->room) {
        free(s->work);
        s->work = malloc(n * sizeof(double));
        s->room = n;
    }
    for (int i = 0; i < n; i++)
        s->work[i] = x[0] * x[1] * (i + 1);
    return s->work[n - 1] * x[0];
}

static double grows(State *s, const double *x)
{
    double sum = 0;
    for (int n = 1; n <= 4; n++)
        sum += step(s, x, n);
    return sum;
}

typedef struct Node {
    struct Node *next;
    double value;
} Node;

static Node *list, *last;

__attribute__((noinline)) static void push(double value)
{
    Node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    list = node;
}

__attribute__((noinline)) static void pop(void)
{
    Node *node = list;
    list = node->next;
    free(node);
}

static double stacked(const double *x)
{
    push(x[0]);
    push(x[1]);
    pop();
    pop();
    list->value = x[0] * x[0];
    return last->value + x[1];
}

static double kept(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        push(x[i] * x[i]);
    int k = 0;
    for (Node *node = list; k < 2; node = node->next, k++)
        sum += node->value * node->value;
    return sum;
}

int main(void)
{
    double x[2] = {2, 3}, d[2] = {1, 0.5};

    State s = {0}, ds = {0}, t = {0}, dt = {0};
    double forward = __enzyme_fwddiff((void *)grows, enzyme_dup, &s, &ds, enzyme_dup, x, d);
    EXPECT(forward, 10 * (2 * x[0] * x[1] * d[0] + x[0] * x[0] * d[1]));
    void *tape = __enzyme_augmentfwd((void *)grows, enzyme_dup, &t, &dt, enzyme_dup, x, d);
    EXPECT(__enzyme_fwdsplit((void *)grows, enzyme_dup, &t, &dt, enzyme_dup, x, d, tape), forward);

    list = last = calloc(1, sizeof *last);
    forward = __enzyme_fwddiff((void *)stacked, enzyme_dup, x, d);
    EXPECT(forward, 2 * x[0] * d[0] + d[1]);
    tape = __enzyme_augmentfwd((void *)stacked, enzyme_dup, x, d);
    EXPECT(__enzyme_fwdsplit((void *)stacked, enzyme_nofree, enzyme_dup, x, d, tape), forward);
    EXPECT(__enzyme_fwdsplit((void *)stacked, enzyme_dup, x, d, tape), forward);

    list = NULL;
    tape = __enzyme_augmentfwd((void *)kept, enzyme_dup, x, d);
    for (int i = 0; i < 2; i++)
        EXPECT(i ? __enzyme_fwdsplit((void *)kept, enzyme_dup, x, d, tape)
                 : __enzyme_fwdsplit((void *)kept, enzyme_nofree, enzyme_dup, x, d, tape),
               4 * x[0] * x[0] * x[0] * d[0] + 4 * x[1] * x[1] * x[1] * d[1]);
    return expect_failures != 0;
}
