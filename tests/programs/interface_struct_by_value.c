// check: main flags=-Itests/support
// Structs of doubles passed by value, small (in registers) and large (in memory), are active.
#include "expect.h"

typedef struct {
    double x, y;
} point;
typedef struct {
    double m[5];
} large;

static double norm(point p)
{
    return p.x * p.x + 3.0 * p.x * p.y;
}

static double spread(large l)
{
    double sum = 0.0;
    for (int i = 0; i < 5; i++)
        sum += l.m[i] * l.m[i] * (i + 1);
    return sum;
}

extern point __enzyme_autodiff_point(double (*)(point), point);
extern large __enzyme_autodiff_large(double (*)(large), large);

int main(void)
{
    point p = __enzyme_autodiff_point(norm, (point){2.0, 5.0});
    EXPECT(p.x, 4.0 + 15.0);
    EXPECT(p.y, 6.0);
    large l = __enzyme_autodiff_large(spread, (large){{1.0, 2.0, 3.0, 4.0, 5.0}});
    for (int i = 0; i < 5; i++)
        EXPECT(l.m[i], 2.0 * (i + 1) * (i + 1));
    return expect_failures != 0;
}
