// check: array n=6
// An interpreter: bytecode, a stack pointer, a loop around a switch.
#include <math.h>

enum { PUSH, ADD, MUL, SIN, DUP, SWAP, END };

static const unsigned char program[] = {PUSH, 0, PUSH, 1, MUL, DUP, SIN, PUSH, 2, ADD, SWAP, PUSH, 3,
                                        MUL,  ADD, PUSH, 4, DUP, MUL, MUL, PUSH, 5, ADD, END};

double objective(const double *x, int n)
{
    double stack[8];
    int top = 0;
    for (const unsigned char *op = program;; op++)
        switch (*op) {
        case PUSH:
            stack[top++] = x[*++op];
            break;
        case ADD:
            top--;
            stack[top - 1] += stack[top];
            break;
        case MUL:
            top--;
            stack[top - 1] *= stack[top];
            break;
        case SIN:
            stack[top - 1] = sin(stack[top - 1]);
            break;
        case DUP:
            stack[top] = stack[top - 1];
            top++;
            break;
        case SWAP: {
            double t = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = t;
            break;
        }
        default:
            return stack[0] * top;
        }
}
