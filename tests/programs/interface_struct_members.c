// check: main flags=-Itests/support
// A struct by value is one argument, whatever registers its members travel in: one marker, then the shadow struct.
#include "expect.h"

#include <complex.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_seed;

typedef struct {
    double a, b;
} pair;
typedef struct {
    double *data;
    long size;
} slice;
typedef struct {
    double weight;
    long power;
} term;

static double product(pair p, double s)
{
    return p.a * p.a * p.b * s;
}

static double sum_of_squares(slice s, double a)
{
    double sum = 0.0;
    for (long i = 0; i < s.size; i++)
        sum += a * s.data[i] * s.data[i];
    return sum;
}

static double monomial(term t, double x)
{
    double r = t.weight;
    for (long i = 0; i < t.power; i++)
        r *= x;
    return r;
}

typedef struct {
    float factor;
    int power;
} packed;

static float raised(packed t)
{
    float product = 1.0f;
    for (int i = 0; i < t.power; i++)
        product *= t.factor;
    return product;
}

static packed scaled(packed t, float by)
{
    t.factor *= by;
    return t;
}

static double modulus(double _Complex z)
{
    return creal(z) * creal(z) + 2.0 * cimag(z) * cimag(z);
}

typedef struct {
    double a, b, s;
} three;
typedef struct {
    double lane[2];
} two;
typedef struct {
    double weight, x;
} pair_of_bars;
extern double __enzyme_fwddiff(void *, ...);
extern float __enzyme_fwddiff_float(void *, ...);
extern packed __enzyme_fwddiff_packed(void *, ...);
extern packed __enzyme_autodiff_packed(void *, ...);
typedef struct {
    packed term;
    float by;
} packed_and_float;
extern packed_and_float __enzyme_autodiff_scaled(void *, ...);
extern two __enzyme_fwddiff_two(void *, ...);
extern three __enzyme_autodiff_three(void *, ...);
extern double __enzyme_autodiff(void *, ...);
extern pair_of_bars __enzyme_autodiff_pair(void *, ...);
extern double _Complex __enzyme_autodiff_complex(void *, ...);

int main(void)
{
    pair p = {2.0, 3.0}, dp = {1.0, 10.0}, dq = {0.5, 0.0};
    EXPECT(__enzyme_fwddiff((void *)product, enzyme_dup, p, dp, enzyme_const, 1.0), 12.0 + 40.0);
    EXPECT(__enzyme_fwddiff((void *)product, p, dp, 1.0, 0.5), 12.0 + 40.0 + 6.0);
    two t = __enzyme_fwddiff_two((void *)product, enzyme_width, 2, enzyme_dup, p, dp, dq, enzyme_const, 1.0);
    EXPECT(t.lane[0], 52.0);
    EXPECT(t.lane[1], 6.0);
    three g = __enzyme_autodiff_three((void *)product, enzyme_out, p, enzyme_out, 5.0);
    EXPECT(g.a, 60.0);
    EXPECT(g.b, 20.0);
    EXPECT(g.s, 12.0);
    EXPECT(__enzyme_autodiff((void *)product, enzyme_const, p, enzyme_out, 5.0), 12.0);

    double x[2] = {1.0, 2.0}, bar[2] = {0.0};
    slice s = {x, 2}, ds = {bar, 0};
    EXPECT(__enzyme_autodiff((void *)sum_of_squares, enzyme_dup, s, ds, enzyme_out, 3.0), 5.0);
    EXPECT(bar[1], 12.0);
    double dot[2] = {1.0, 1.0};
    slice dt = {dot, 0};
    EXPECT(__enzyme_fwddiff((void *)sum_of_squares, s, dt, 3.0, 0.0), 18.0);

    term m = {2.0, 3}, dm = {1.0, 0};
    pair_of_bars q = __enzyme_autodiff_pair((void *)monomial, m, 2.0);
    EXPECT(q.weight, 8.0);
    EXPECT(q.x, 24.0);
    EXPECT(__enzyme_fwddiff((void *)monomial, enzyme_dup, m, dm, enzyme_dup, 2.0, 0.0), 8.0);

    packed n = {3.0f, 2}, dn = {0.5f, 0};
    EXPECT(__enzyme_fwddiff_float((void *)raised, enzyme_dup, n, dn), 3.0);
    EXPECT(__enzyme_autodiff_packed((void *)raised, enzyme_out, n).factor, 6.0);
    EXPECT(__enzyme_fwddiff_packed((void *)scaled, enzyme_dup, n, dn, enzyme_const, 4.0f).factor, 2.0);
    packed seed = {10.0f, 0};
    packed_and_float both = __enzyme_autodiff_scaled((void *)scaled, enzyme_seed, &seed, n, 4.0f);
    EXPECT(both.term.factor, 40.0);
    EXPECT(both.by, 30.0);

    /* A marker for each member says the same member by member. */
    EXPECT(__enzyme_fwddiff((void *)product, enzyme_dup, 2.0, 1.0, enzyme_dup, 3.0, 10.0, enzyme_const, 1.0), 52.0);

    double _Complex z = 3.0 + 4.0 * I, zb = __enzyme_autodiff_complex((void *)modulus, enzyme_out, z);
    EXPECT(creal(zb), 6.0);
    EXPECT(cimag(zb), 16.0);
    return expect_failures != 0;
}
