// check: array n=4 real=float stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
/* A count is raised by one, and so is the exponent of a float, in the bits that it has there. */
#include <stdint.h>

struct cell { int kind; union { float number; uint32_t bits; } as; };

__attribute__((noinline)) static void step(struct cell *to, const struct cell *from)
{
    to->kind = from->kind;
    to->as.bits = from->as.bits + (from->kind ? 1u << 23 : 1);
}

__attribute__((noinline)) static float meaning(const struct cell *c) { return c->kind ? c->as.number : (float)c->as.bits; }

float objective(float *x, int n)
{
    struct cell cells[8];
    float sum = 0;
    for (uint32_t i = 0; i < 8; i++)
        cells[i] = (struct cell){0, {.bits = i}};
    for (int i = 0; i < n; i += 2)
        cells[i] = (struct cell){1, {.number = x[i]}};
    for (int i = 0; i < 4; i++)
        step(&cells[i + 4], &cells[i]);
    for (int i = 0; i < 8; i++)
        sum += meaning(&cells[i]) * x[1];
    return sum;
}
