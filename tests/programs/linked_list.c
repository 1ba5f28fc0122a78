// check: array n=6,1,0
// A singly linked list: built in a loop, changed in place, summed, freed.
#include <stdlib.h>

struct node {
    double value;
    struct node *next;
};

static struct node *push(struct node *head, double value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = head;
    return fresh;
}

double objective(const double *x, int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++)
        head = push(head, x[i] * x[i]);
    for (struct node *p = head; p && p->next; p = p->next)
        p->value *= p->next->value;
    double sum = 0.0;
    for (struct node *p = head; p; p = p->next)
        sum += p->value * p->value;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return sum;
}
