// check: array n=6
// Numbers that travel as integers: swapped words, a byte-wise copy loop, structs copied through integer arrays.
#include <stdint.h>
#include <string.h>

typedef struct { double a, b; int tag; } Record;

static void swap_words(uint64_t *p, uint64_t *q)
{
    uint64_t t = *p;
    *p = *q;
    *q = t;
}

double objective(const double *x, int n)
{
    double y[8];
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    uint64_t first, second;
    memcpy(&first, &y[0], 8);
    memcpy(&second, &y[1], 8);
    swap_words(&first, &second);
    memcpy(&y[0], &first, 8);
    memcpy(&y[1], &second, 8);
    Record r = {y[0], y[2], 7}, s;
    memcpy(&s, &r, sizeof s);
    return y[0] * 3.0 + y[1] * s.a + s.b * y[n - 1] + s.tag;
}
