// check: array n=2 range=0.5:2.0 refused=E0111
// The same by functions that write and read a union, with a plain number in it at times.
#include <stdint.h>

struct approximation {
    union {
        double number;
        int64_t bits;
    } u;
};

__attribute__((noinline)) static void set(struct approximation *a, double v)
{
    a->u.bits = (int64_t)(6497320848556798.0 * v + 4606794787981739000.0);
}

__attribute__((noinline)) static void set_one(struct approximation *a)
{
    a->u.number = 1.0;
}

__attribute__((noinline)) static double get(const struct approximation *a)
{
    return a->u.number;
}

double objective(double *x, int n)
{
    struct approximation a[4];
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 1e-3)
            set_one(&a[i]);
        else
            set(&a[i], x[i]);
        s += get(&a[i]) * (i + 1);
    }
    return s;
}
