// check: array n=3 range=0.5:2.0 refused=E0111
// The same in one loop, without functions.
#include <stdint.h>

struct value {
    int pad;
    union {
        double number;
        int64_t bits;
    } u;
};

double objective(double *x, int n)
{
    struct value a[4];
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i].u.number = x[i] * x[0];
        s += ((double)a[i].u.bits * 0x1p-52 - 1023.0) * (i + 1);
    }
    return s;
}
