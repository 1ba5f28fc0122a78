// check: array n=3 range=0.5:2.0
// A function that is not inlined makes numbers by their bits, as integers, where its caller reads them as numbers and
// stores others with a derivative: those made so have no tangent.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void fill(uint64_t *bits, int n)
{
    for (int i = 0; i < n; i++)
        bits[i] = 0x3ff0000000000000u + (uint64_t)i;
}

double objective(double *x, int n)
{
    double *block = malloc(n * sizeof *block), s = 0;
    fill((void *)block, n);
    for (int i = 0; i < n; i++) {
        double d;
        memcpy(&d, block + i, sizeof d);
        s += d * x[i];
        d *= x[i];
        memcpy(block + i, &d, sizeof d);
        memcpy(&d, block + i, sizeof d);
        s += d;
    }
    free(block);
    return s;
}
