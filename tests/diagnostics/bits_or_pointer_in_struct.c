/* A word that holds the bits of a number in some structs and a pointer in others, changed by a function that is given the
   whole struct and looks which it is. */
#include <stdint.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

struct slot {
    int kind;
    union {
        uint64_t bits;
        double *at;
    } as;
};

__attribute__((noinline)) static void number(struct slot *s, double d)
{
    s->kind = 0;
    memcpy(&s->as.bits, &d, sizeof d);
}

__attribute__((noinline)) static void address(struct slot *s, double *p)
{
    s->kind = 1;
    s->as.at = p;
}

__attribute__((noinline)) static void twice(struct slot *s)
{
    if (!s->kind)
        s->as.bits += (uint64_t)1 << 52;
}

__attribute__((noinline)) static double get(const struct slot *s)
{
    if (s->kind)
        return *s->as.at;
    double d;
    memcpy(&d, &s->as.bits, sizeof d);
    return d;
}

static double f(const double *x, int n)
{
    struct slot slots[8];
    double y[8], sum = 0;
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * x[i];
        if (i % 2)
            number(&slots[i], x[i]);
        else
            address(&slots[i], &y[i]);
    }
    for (int i = 0; i < n; i++) {
        twice(&slots[i]);
        sum += get(&slots[i]) * x[i];
    }
    return sum;
}

int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 2);
    return x_bar[0] > 0;
}
