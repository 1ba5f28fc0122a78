// check: array n=6,3
// Computed gotos: an interpreter that jumps from operation to operation through a table of label addresses.
#include <math.h>

enum { PUSH, ADD, MUL, SIN, DUP, SWAP, LESS, JUMP_IF, END };

static const signed char program[] = {PUSH, 0, PUSH, 1,    MUL, DUP,  SIN, PUSH, 2,   ADD,     SWAP, PUSH, 0,
                                      MUL,  ADD, DUP, PUSH, 1,   ADD, DUP, LESS, 9, JUMP_IF, -8,  MUL,  END};

static double run(const double *x, const signed char *op, int limit)
{
    static const void *const labels[] = {&&push, &&add,  &&mul,     &&sine, &&dup,
                                         &&swap, &&less, &&jump_if, &&end};
    double stack[16], t;
    int top = 0, flag = 0;
#define NEXT goto *labels[(int)*op++]
    NEXT;
push:
    stack[top++] = x[(int)*op++];
    NEXT;
add:
    top--;
    stack[top - 1] += stack[top];
    NEXT;
mul:
    top--;
    stack[top - 1] *= stack[top];
    NEXT;
sine:
    stack[top - 1] = sin(stack[top - 1]);
    NEXT;
dup:
    stack[top] = stack[top - 1];
    top++;
    NEXT;
swap:
    t = stack[top - 1];
    stack[top - 1] = stack[top - 2];
    stack[top - 2] = t;
    NEXT;
less:
    flag = stack[--top] < *op++ && limit-- > 0;
    NEXT;
jump_if:
    if (flag)
        op += *op;
    op++;
    NEXT;
end:
    return stack[top - 1] + stack[0];
}

double objective(const double *x, int n)
{
    double result = 0.0;
    for (int limit = 0; limit < n; limit++)
        result += run(x, program, limit) / (1 + limit);
    return result;
}
