// check: array n=6
// Nodes of several layouts behind a common head, linked together: structs that begin alike.
#include <stdlib.h>

typedef struct Head { int kind; struct Head *next; } Head;
typedef struct { Head head; double value; } Number;
typedef struct { Head head; int times; double factor, offset; } Affine;

static Head *number(Head *next, double v)
{
    Number *n = malloc(sizeof *n);
    n->head = (Head){0, next};
    n->value = v;
    return &n->head;
}

static Head *affine(Head *next, double f, double o)
{
    Affine *a = malloc(sizeof *a);
    a->head = (Head){1, next};
    a->times = 2;
    a->factor = f;
    a->offset = o;
    return &a->head;
}

double objective(const double *x, int n)
{
    Head *list = NULL;
    for (int i = 0; i + 1 < n; i += 2) {
        list = number(list, x[i]);
        list = affine(list, x[i + 1], x[i]);
    }
    double v = 1.0;
    while (list) {
        Head *next = list->next;
        if (list->kind == 0) {
            v += ((Number *)list)->value * v;
        } else {
            Affine *a = (Affine *)list;
            for (int i = 0; i < a->times; i++)
                v = v * a->factor + a->offset;
        }
        free(list);
        list = next;
    }
    return v;
}
