// check: array n=5
// Memory that is reached through a global pointer only, in helpers without pointer arguments.
#include <stdlib.h>

typedef struct node {
    double value;
    struct node *next;
} node;

static node *head;

__attribute__((noinline)) static void push(double value)
{
    node *made = malloc(sizeof *made);
    made->value = value * value;
    made->next = head;
    head = made;
}

__attribute__((noinline)) static double pop(void)
{
    node *first = head;
    double value = first->value;
    head = first->next;
    free(first);
    return value;
}

double objective(const double *x, int n)
{
    double sum = 0, product = 1;
    head = NULL;
    for (int i = 0; i < n; i++)
        push(x[i]);
    for (int i = 0; i < n; i++) {
        product *= pop();
        sum += product;
    }
    return sum;
}
