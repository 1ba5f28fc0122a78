// check: main flags=-Itests/support
// __enzyme_batch: the primal for several sets of arguments.
#include "expect.h"

extern int enzyme_width, enzyme_vector, enzyme_scalar;

static int calls;

static double f(double x, double *p, float y)
{
    calls++;
    p[0] += 1.0;
    return x * p[0] + y;
}

typedef struct {
    double v[3];
} three;
typedef struct {
    double a, b, c, d;
} large;
typedef struct {
    large r[2];
} two;

static large g(large l, double s)
{
    return (large){l.a * s, l.b * s, l.c, l.d};
}

static void nothing(double *p, double by)
{
    *p *= by;
}

extern three __enzyme_batch(void *, ...);
extern two __enzyme_batch_large(void *, ...);
extern void __enzyme_batch_nothing(void *, ...);

int main(void)
{
    double p = 1.0, q[2] = {1.0, 2.0};
    three r = __enzyme_batch((void *)f, enzyme_width, 3, enzyme_vector, 1.0, 2.0, 3.0, enzyme_scalar, &p, enzyme_vector,
                             0.5f, 1.5f, 2.5f);
    EXPECT(calls, 3);
    EXPECT(r.v[0], 2.5);
    EXPECT(r.v[1], 7.5);
    EXPECT(r.v[2], 14.5);
    EXPECT(p, 4.0);
    large a = {1.0, 2.0, 3.0, 4.0}, b = {5.0, 6.0, 7.0, 8.0};
    two s = __enzyme_batch_large((void *)g, enzyme_width, 2, enzyme_vector, a, b, enzyme_scalar, 10.0);
    EXPECT(s.r[0].b, 20.0);
    EXPECT(s.r[1].a, 50.0);
    EXPECT(s.r[1].d, 8.0);
    __enzyme_batch_nothing((void *)nothing, enzyme_width, 2, enzyme_vector, &q[0], &q[1], enzyme_vector, 3.0, 4.0);
    EXPECT(q[0], 3.0);
    EXPECT(q[1], 8.0);
    return expect_failures != 0;
}
