// check: array n=6
// Globals and locals with an alignment of their own, used in loops that are turned into vector instructions.
#include <string.h>

static char odd_size;
static _Alignas(64) double table[16];
static char another;
static _Alignas(32) float single[8];

double objective(const double *x, int n)
{
    _Alignas(64) double local[16];
    odd_size = another = (char)n;
    memset(table, 0, sizeof table);
    for (int i = 0; i < 16; i++)
        local[i] = x[i % 6] * (i + 1);
    for (int i = 0; i < 16; i++)
        table[i] = local[i] * local[15 - i];
    for (int i = 0; i < 8; i++)
        single[i] = (float)(i + odd_size - another);
    double sum = 0.0;
    for (int i = 0; i < 16; i++)
        sum += table[i] * local[i] * single[i / 2] * 0.01;
    return sum;
}
