// check: array n=3,1 real=float tol=1e-3 step=0.01 identity=1e-6
/* Objects told apart by a kind, as C has them: where one has a float another has a count, and one function changes
   either, which LLVM makes one store. */
#include <stdint.h>
#include <stdlib.h>

struct base { int kind; };
struct level { struct base base; float value; };
struct counter { struct base base; uint32_t count; };

__attribute__((noinline)) static void change(struct base *p, uint32_t by)
{
    if (p->kind)
        ((struct counter *)p)->count += by;
    else
        ((struct level *)p)->value *= 2;
}

__attribute__((noinline)) static float meaning(const struct base *p)
{
    return p->kind ? (float)((const struct counter *)p)->count : ((const struct level *)p)->value;
}

static struct base *level(float value)
{
    struct level *new = malloc(sizeof *new);
    new->base.kind = 0;
    new->value = value;
    return &new->base;
}

static struct base *counter(uint32_t count)
{
    struct counter *new = malloc(sizeof *new);
    new->base.kind = 1;
    new->count = count;
    return &new->base;
}

float objective(float *x, int n)
{
    struct base *all[6];
    float sum = 0;
    for (int i = 0; i < 2 * n; i++)
        all[i] = i % 2 ? counter(i) : level(x[i / 2] * x[0]);
    for (int i = 0; i < 2 * n; i++)
        change(all[i], i);
    for (int i = 0; i < 2 * n; i++)
        sum += meaning(all[i]) * (i + 1) * x[n - 1];
    for (int i = 0; i < 2 * n; i++)
        free(all[i]);
    return sum;
}
