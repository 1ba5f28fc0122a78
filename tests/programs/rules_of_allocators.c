// check: main flags=-Itests/support
// Allocators that only their users know, with bodies that say nothing (a pool), freed at once, later, by nobody.
#include "expect.h"

#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static char pool[1 << 16];
static long used, alive, freed_bytes;

static void *pool_take(int tag, long bytes)
{
    (void)tag;
    void *p = pool + used;
    used += (bytes + 15) / 16 * 16;
    memset(p, 0x55, (size_t)bytes);
    alive++;
    return p;
}
static void pool_give(void *p)
{
    (void)p;
    alive--;
}
static void *sized_take(long bytes)
{
    alive++;
    return malloc((size_t)bytes);
}
static int sized_give(long bytes, void *p)
{
    alive--;
    freed_bytes += bytes;
    free(p);
    return 0;
}
void *__enzyme_allocation_like_pool[] = {(void *)pool_take, (void *)1, "-1", (void *)pool_give};
void *__enzyme_allocation_like_sized[] = {(void *)sized_take, (void *)0, "0,-1", (void *)sized_give};
void *__enzyme_nofree[] = {(void *)pool_take, (void *)sized_take};

static double f(const double *x, int n)
{
    double *square = pool_take(7, (long)sizeof(double) * n);
    for (int i = 0; i < n; i++)
        square[i] = x[i] * x[i];
    double total = 0;
    for (int i = 0; i < n; i++)
        total += square[i] * square[n - 1 - i];
    pool_give(square);
    return total;
}

static double g(const double *x, int n)
{
    double total = 0;
    for (int round = 0; round < 3; round++) {
        double *square = sized_take((long)sizeof(double) * n);
        for (int i = 0; i < n; i++)
            square[i] = x[i] * x[i];
        for (int i = 0; i < n; i++)
            total += square[i] * square[n - 1 - i];
        sized_give((long)sizeof(double) * n, square);
    }
    return total;
}

// Handed on and freed by another function, behind a branch.
static double *make(const double *x, int n)
{
    double *square = pool_take(1, (long)sizeof(double) * n);
    for (int i = 0; i < n; i++)
        square[i] = x[i] * x[i];
    return square;
}
static void end(double *p, int n)
{
    if (n > 0)
        pool_give(p);
}
static double h(const double *x, int n)
{
    double *square = make(x, n), total = 0;
    for (int i = 0; i < n; i++)
        total += square[i] * square[n - 1 - i];
    end(square, n);
    return total;
}

int main(void)
{
    double x[3] = {1, 2, 3};
    double (*functions[])(const double *, int) = {f, g, h};
    (void)functions;
    double bar[3] = {0}, dot[3] = {0, 1, 0};
    __enzyme_autodiff((void *)f, x, bar, 3);
    EXPECT(bar[0], 4 * 1 * 9);
    EXPECT(bar[1], 4 * 8);
    EXPECT(bar[2], 4 * 3);
    EXPECT(alive, 0);
    EXPECT(__enzyme_fwddiff((void *)f, x, dot, 3), 32);
    EXPECT(alive, 0);
    memset(bar, 0, sizeof bar);
    __enzyme_autodiff((void *)g, x, bar, 3);
    EXPECT(bar[1], 3 * 32);
    EXPECT(alive, 0);
    EXPECT(freed_bytes % 24, 0);
    EXPECT(__enzyme_fwddiff((void *)g, x, dot, 3), 96);
    memset(bar, 0, sizeof bar);
    __enzyme_autodiff((void *)h, x, bar, 3);
    EXPECT(bar[1], 32);
    EXPECT(alive, 0);
    return expect_failures != 0;
}
