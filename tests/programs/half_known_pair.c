// check: main flags=-Itests/support
// One function moves both members of a pair and uses one of them: the other's derivative must not be lost.
#include "expect.h"

typedef struct {
    float a, b;
} pair;

extern int enzyme_dup;
extern float __enzyme_autodiff_float(void *, ...);

__attribute__((noinline)) static float moved(const pair *from, pair *to, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
        sum += to[i].a;
    }
    return sum;
}

static float whole(const pair *from, pair *to, int n)
{
    float sum = moved(from, to, n);
    for (int i = 0; i < n; i++)
        sum += to[i].b * to[i].a;
    return sum;
}

int main(void)
{
    pair x[2] = {{1, 2}, {3, 4}}, dx[2] = {{0, 0}, {0, 0}}, y[2] = {{0, 0}, {0, 0}}, dy[2] = {{0, 0}, {0, 0}};
    __enzyme_autodiff_float((void *)whole, enzyme_dup, x, dx, enzyme_dup, y, dy, 2);
    EXPECT(dx[0].a, 3);
    EXPECT(dx[0].b, 1);
    EXPECT(dx[1].a, 5);
    EXPECT(dx[1].b, 3);
    return expect_failures != 0;
}
