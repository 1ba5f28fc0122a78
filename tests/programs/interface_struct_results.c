// check: main flags=-Itests/support
// Functions that return structs, in registers and in memory: tangents of all members, and reverse mode seeded by a
// struct.
#include "expect.h"

#include <complex.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_seed, enzyme_primal_return, enzyme_noret;

typedef struct {
    double square, cube;
} pair;
typedef struct {
    double v[4];
    long calls;
} large;
typedef struct {
    float a, b;
} floats;
typedef struct {
    pair value, tangent;
} pairs;
typedef struct {
    large value, tangent;
} larges;
typedef struct {
    large lane[2];
} large_lanes;

static pair small(double a)
{
    return (pair){a * a, a * a * a};
}

static large big(const double *x, double a)
{
    large r = {{0.0}, 7};
    for (int i = 0; i < 4; i++)
        r.v[i] = a * x[i] * x[i];
    return r;
}

static floats packed(float a)
{
    return (floats){3.0f * a, a * a};
}

static double _Complex rotate(double _Complex z, double angle)
{
    return z * (cos(angle) + I * sin(angle));
}

extern pair __enzyme_fwddiff_small(void *, ...);
extern pairs __enzyme_fwddiff_small_both(void *, ...);
extern large __enzyme_fwddiff_big(void *, ...);
extern larges __enzyme_fwddiff_big_both(void *, ...);
extern large_lanes __enzyme_fwddiff_big_lanes(void *, ...);
extern floats __enzyme_fwddiff_packed(void *, ...);
extern double __enzyme_autodiff(void *, ...);
extern float __enzyme_autodiff_float(void *, ...);
extern larges __enzyme_autodiff_both(void *, ...);
typedef struct {
    double angle[2];
} two;
extern two __enzyme_autodiff_two(void *, ...);

int main(void)
{
    pair p = __enzyme_fwddiff_small((void *)small, 3.0, 1.0);
    EXPECT(p.square, 6.0);
    EXPECT(p.cube, 27.0);
    pairs q = __enzyme_fwddiff_small_both((void *)small, enzyme_primal_return, 3.0, 2.0);
    EXPECT(q.value.cube, 27.0);
    EXPECT(q.tangent.square, 12.0);

    double x[4] = {1.0, 2.0, 3.0, 4.0}, t[4] = {1.0, 0.0, 1.0, 0.0}, u[4] = {0.0, 1.0, 0.0, 0.0};
    large l = __enzyme_fwddiff_big((void *)big, enzyme_dup, x, t, 2.0, 0.0);
    EXPECT(l.v[0], 4.0);
    EXPECT(l.v[1], 0.0);
    EXPECT(l.v[2], 12.0);
    larges b = __enzyme_fwddiff_big_both((void *)big, enzyme_primal_return, enzyme_dup, x, t, 2.0, 1.0);
    EXPECT(b.value.v[3], 32.0);
    EXPECT(b.value.calls, 7);
    EXPECT(b.tangent.v[3], 16.0);
    EXPECT(b.tangent.v[2], 9.0 + 12.0);
    large_lanes m = __enzyme_fwddiff_big_lanes((void *)big, enzyme_width, 2, enzyme_dup, x, t, u, 2.0, 0.0, 1.0);
    EXPECT(m.lane[0].v[0], 4.0);
    EXPECT(m.lane[1].v[0], 1.0);
    EXPECT(m.lane[1].v[1], 4.0 + 8.0);
    floats f = __enzyme_fwddiff_packed((void *)packed, 5.0f, 1.0f);
    EXPECT(f.a, 3.0);
    EXPECT(f.b, 10.0);

    pair seed = {0.5, 2.0};
    EXPECT(__enzyme_autodiff((void *)small, enzyme_seed, &seed, 3.0), 0.5 * 6.0 + 2.0 * 27.0);
    EXPECT(__enzyme_autodiff((void *)small, enzyme_noret, 3.0), 0.0);
    floats one = {1.0f, 0.5f};
    EXPECT(__enzyme_autodiff_float((void *)packed, enzyme_seed, &one, 5.0f), 3.0 + 5.0);
    large weights = {{1.0, 10.0, 0.0, 0.0}, 0};
    double bar[4] = {0.0};
    EXPECT(__enzyme_autodiff((void *)big, enzyme_seed, &weights, enzyme_dup, x, bar, enzyme_out, 2.0), 1.0 + 40.0);
    EXPECT(bar[0], 4.0);
    EXPECT(bar[1], 80.0);
    EXPECT(bar[2], 0.0);
    EXPECT(weights.v[1], 10.0);

    double _Complex z = 2.0, along = 1.0, across = I;
    two angles = __enzyme_autodiff_two((void *)rotate, enzyme_width, 2, enzyme_seed, &along, &across, enzyme_const, z,
                                       enzyme_out, 0.25);
    EXPECT(angles.angle[0], -2.0 * sin(0.25));
    EXPECT(angles.angle[1], 2.0 * cos(0.25));
    return expect_failures != 0;
}
