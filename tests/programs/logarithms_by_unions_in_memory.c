// check: array n=3 range=0.5:2.0 refused=E0111
// Numbers in an array of unions, whose bits are taken for counts: nearly logarithms. By functions, and in one loop.
#include <stdint.h>

struct value {
    int pad;
    union {
        double number;
        int64_t bits;
    } u;
};

__attribute__((noinline)) static void put(struct value *a, double v)
{
    a->u.number = v;
}

__attribute__((noinline)) static int64_t bits(const struct value *a)
{
    return a->u.bits;
}

__attribute__((noinline)) static double logarithm(int64_t bits)
{
    return (double)bits * 0x1p-52 - 1023.0;
}

double objective(double *x, int n)
{
    struct value a[4];
    double s = 0;
    for (int i = 0; i < n; i++) {
        put(&a[i], x[i] * x[0]);
        s += logarithm(bits(&a[i])) * (i + 1);
    }
    return s;
}
