// check: array n=7,1,0
// Copies whose source is constant memory or active memory, which only the run shows; the target may overlap.
#include <string.h>

static const double table[8] = {0.3, 0.9, -0.5, 1.2, 0.7, 0.1, -0.8, 0.6};

struct part {
    int tag;
    double weight;
    const double *data;
    double pair[2];
};
static const struct part fixed = {2, 0.75, table + 1, {0.4, -1.5}};

__attribute__((noinline)) static void take(double *to, const double *from, int n)
{
    memcpy(to, from, n * sizeof(double));
}

__attribute__((noinline)) static void shift(double *buffer, const double *from, int n)
{
    memmove(buffer, from, n * sizeof(double));
}

double objective(double *x, int n)
{
    double work[8] = {0}, copy[8], sum = 0.0;
    for (int i = 0; i < n; i++)
        work[i] = x[i] * x[i] + 0.1 * i;
    for (int i = 0; i < n; i++) {
        const double *chosen = work[i] > 1.0 ? work : table;
        memcpy(copy, chosen, sizeof copy);
        sum += copy[i] * x[i] + copy[(i + 1) % n];
        take(copy + 1, x[i] > 0.9 ? work + 2 : table + 1, 5);
        sum += copy[1] * copy[4];
        shift(work + 1, i % 2 ? table : work, 6);
        sum += work[i] * work[3];
        struct part own = {1, x[i], work + 1, {x[0], x[i] * x[0]}};
        struct part got = x[i] < 1.2 ? own : fixed;
        const struct part *which = x[i] > 0.8 ? &own : &fixed;
        struct part again = *which;
        sum += got.weight * got.data[i] * got.pair[1] + got.tag;
        sum += again.weight * again.data[0] * again.pair[0] * again.pair[1] + again.tag;
    }
    return sum;
}
