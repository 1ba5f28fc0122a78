// check: main
// Functions that move bytes by address and size are called with objects of several types, of which one has an integer
// where the other has numbers that nothing but these functions touches.
#include "elements_check.h"

typedef struct {
    double a, b;
    float w, z;
} wide;

typedef struct {
    double k, b;
    long m;
} mixed;

typedef struct {
    wide a[4];
    mixed b[4];
} both;

__attribute__((noinline)) static void swap(void *p, void *q, size_t size)
{
    char kept[64];
    memcpy(kept, p, size);
    memcpy(p, q, size);
    memcpy(q, kept, size);
}

static double used(both *s)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += s->a[i].a * s->a[i].a + s->b[i].b * (s->b[i].k + s->b[i].m);
    return sum;
}

static double swapped(both *s)
{
    swap(&s->a[0], &s->a[1], sizeof(wide));
    swap(&s->b[0], &s->b[1], sizeof(mixed));
    swap(&s->b[2], &s->b[1], sizeof(mixed));
    return used(s);
}

static void turn(char *p, int n, size_t size)
{
    if (n < 2)
        return;
    swap(p, p + (n - 1) * size, size);
    turn(p + size, n - 2, size);
    turn(p + size, n - 3, size);
}

static double turned(both *s)
{
    turn((char *)s->a, 4, sizeof(wide));
    turn((char *)s->b, 4, sizeof(mixed));
    return used(s);
}

static void swapped_start(both *s)
{
    for (int k = 0; k < 4; k++) {
        s->a[k] = (wide){k + 1.25, 0.3, 0.5f + k, 3};
        s->b[k] = (mixed){1, 1.5 - k, 2};
    }
}

static void swapped_numbers(both *s)
{
    for (int k = 0; k < 4; k++) {
        whole(&s->a[k].a);
        whole(&s->a[k].b);
        half(&s->a[k].w);
        half(&s->a[k].z);
        whole(&s->b[k].k);
        whole(&s->b[k].b);
    }
}

static void turned_start(both *s) { swapped_start(s); }
static void turned_numbers(both *s) { swapped_numbers(s); }

CHECK(swapped, both, 1)
CHECK(turned, both, 1)

int main(void)
{
    int failed = 0;
    for (int copied = 0; copied < 2; copied++)
        failed += check_swapped(copied) + check_turned(copied);
    if (!failed)
        printf("ok\n");
    return failed;
}
