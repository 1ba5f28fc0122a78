// check: array n=6
// An object of one step alone that owns memory: it is not there when the step is over, and no state of the loop.
#include <stdlib.h>

#define APART __attribute__((noinline)) static

void __enzyme_checkpoint(long);

typedef struct {
    double *numbers;
    int n;
} Buffer;

APART void begin(Buffer *b, int n)
{
    b->numbers = calloc(n, sizeof *b->numbers);
    b->n = n;
}
APART void end(Buffer *b)
{
    free(b->numbers);
}
APART void turn(const Buffer *b, const double *u)
{
    for (int i = 0; i < b->n; i++)
        b->numbers[i] = u[(i + 1) % b->n] * 0.9;
}

double objective(const double *x, int n)
{
    double u[8], sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < 20; t++) {
        __enzyme_checkpoint(2);
        Buffer b;
        begin(&b, n);
        turn(&b, u);
        for (int i = 0; i < n; i++)
            u[i] = b.numbers[i] * (1 + 0.01 * u[i]);
        end(&b);
        sum += u[0];
    }
    return sum;
}
