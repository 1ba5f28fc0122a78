// check: array n=6,1,3
// Inline assembly that jumps to labels (asm goto): out of a loop, and into a loop.
#include <math.h>

double objective(const double *x, int n)
{
    double sum = 0.5, product = 1.0;
    int i = 0;
    __asm__ goto("testl $1, %0\n\tjne %l1" : : "r"(n) : "cc" : middle);
    for (; i < n; i++) {
        product *= 1.0 + sum * x[i];
        if (product > 50.0)
            break;
    middle:
        sum += sin(x[i]) * product;
        __asm__ goto("cmpl $4, %0\n\tjg %l1" : : "r"(i) : "cc" : enough);
    }
    product += sum * sum;
enough:
    return product * sum;
}
