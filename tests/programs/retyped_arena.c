// check: array n=6
// An arena that is reset while an argument still leads to numbers in it: what a function finds behind one pointer is the
// memory behind the other, as integers.
#include <math.h>
#include <stdlib.h>

#define APART __attribute__((noinline)) static

typedef struct {
    char *memory;
    size_t top;
} Arena;

APART void *take(Arena *arena, size_t bytes)
{
    void *taken = arena->memory + arena->top;
    arena->top += bytes;
    return taken;
}

APART double reset(const double *x, Arena *arena, int n, const double *old)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += cos(old[i * n % 4]) * old[i];
    arena->top = 0;
    int *chosen = take(arena, 32);
    for (int i = 0; i < 8; i++)
        chosen[i] = (i * n + 1) % 6;
    for (int i = 0; i < 8; i++)
        sum += x[chosen[i]];
    return sum;
}

APART void fill(double *m, const double *x, int count)
{
    for (int i = 0; i < count; i++)
        m[i] = x[i] * x[i];
}

double objective(const double *x, int n)
{
    Arena arena = {malloc(64), 0};
    double *m = take(&arena, 48);
    fill(m, x + 2, 4);
    const double sum = reset(x, &arena, n, m);
    free(arena.memory);
    return sum;
}
