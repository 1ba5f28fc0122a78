// check: array n=10
// Unions of a number and pointers that are built in registers: what is stored is the bits of either, chosen by a branch.
#include <stdlib.h>

typedef struct value {
    int tag;
    union {
        double number;
        struct value *list;
        double *reference;
    } u;
} Value;

static double evaluate(const Value *v)
{
    double sum = 0.0;
    switch (v->tag) {
    case 0:
        return v->u.number;
    case 1:
        for (int i = 0; i < 2; i++)
            sum = sum * 0.5 + evaluate(v->u.list + i);
        return sum;
    default:
        return *v->u.reference;
    }
}

double objective(const double *x, int n)
{
    Value items[6], pairs[4];
    double cells[10], sum = 0.0;
    for (int i = 0; i < n; i++)
        cells[i] = x[i] * x[(i + 1) % n];
    for (int i = 0; i < 6; i++) {
        Value v = {.tag = i % 3};
        if (v.tag == 0) {
            v.u.number = x[i] * x[0];
        } else if (v.tag == 1) {
            v.u.list = malloc(2 * sizeof(Value));
            v.u.list[0] = (Value){0, {.number = x[i]}};
            v.u.list[1].tag = 2;
            v.u.list[1].u.reference = cells + i;
        } else {
            v.u.reference = cells + i;
        }
        items[i] = v;
    }
    for (int i = 0; i < 4; i++) {
        Value v = {.tag = i % 2 ? 0 : 2};
        if (v.tag == 0)
            v.u.number = x[i] * x[i + 1];
        else
            v.u.reference = cells + i;
        pairs[i] = v;
    }
    for (int i = 0; i < 6; i++)
        sum += (i + 1) * evaluate(&items[i]);
    for (int i = 0; i < 4; i++)
        sum += (i + 2) * (pairs[i].tag == 0 ? pairs[i].u.number : pairs[i].u.reference[0]);
    for (int i = 0; i < 6; i++)
        if (items[i].tag == 1)
            free(items[i].u.list);
    return sum;
}
