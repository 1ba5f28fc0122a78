/* The bits of a number, handed to a function that takes them for an integer. */
#include <stdint.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

struct stored {
    uint64_t bits;
};

__attribute__((noinline)) static void put(struct stored *s, double d)
{
    memcpy(&s->bits, &d, sizeof d);
}

__attribute__((noinline)) static void twice(uint64_t *bits)
{
    *bits += (uint64_t)1 << 52;
}

__attribute__((noinline)) static double get(const struct stored *s)
{
    double d;
    memcpy(&d, &s->bits, sizeof d);
    return d;
}

static double f(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        struct stored s;
        put(&s, x[i]);
        twice(&s.bits);
        sum += get(&s) * x[i];
    }
    return sum;
}

int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 2);
    return x_bar[0] > 0;
}
