// check: array n=6
// A function is given and returns a struct of a count and a number in one word, of which the derivative only needs what
// is in memory afterwards: the call is done all the same.
#include <math.h>

typedef struct {
    int n;
    float w;
} Counted;

__attribute__((noinline)) static Counted next(Counted c)
{
    c.n = (c.n << 1) & 7;
    c.w = (float)(0.125 * (c.n % 5) + 0.5);
    return c;
}

static double weighted(int rounds)
{
    Counted a[4];
    for (int i = 0; i < 4; i++)
        a[i] = (Counted){.n = i, .w = 0.5f};
    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < 4; i++) {
            Counted t = a[i];
            a[i] = a[(i + 2) % 4];
            a[(i + 2) % 4] = next(t);
        }
    }
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += a[i].w * (a[i].n % 3 + 1);
    return sum;
}

double objective(const double *x, int n)
{
    double c = 0;
    for (int i = 0; i < n; i++)
        c = weighted(n / 2) * sin(c + x[i]);
    return c;
}
