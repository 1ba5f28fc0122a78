// check: array n=3
/* A character behind a number, in elements of static memory that are copied: the padding behind it is copied apart. */
#include <math.h>

typedef struct {
    double x;
    char n;
} Counted;

__attribute__((noinline)) static Counted turned(Counted c)
{
    c.n = -c.n;
    c.x = sin(c.x);
    return c;
}

double objective(double *x, int n)
{
    static Counted all[4];
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        all[i].x = 0.4 * x[i % n];
        all[i].n = i;
    }
    for (int i = 0; i < 4; i++) {
        Counted one = all[i];
        for (int k = 0; k < 2; k++)
            one = turned(one);
        all[(i + 1) % 4] = one;
    }
    for (int i = 0; i < 4; i++)
        sum += 0.1 * all[i].x * (all[i].n % 3 + 1);
    return sum;
}
