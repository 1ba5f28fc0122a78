// check: main flags=-Itests/support
// Small structs by value of which the request passes some in memory or as words, as markers and shadows took the
// registers that the primal has for them.
#include "expect.h"
#include <complex.h>

typedef struct {
    double x, y;
} vec2;
typedef struct {
    double a;
    float b;
    int k;
} mixed;
typedef struct {
    float x, y, z;
} vec3f;
typedef struct {
    double *a, *b;
} arrays;
typedef struct {
    double x;
} single;
typedef struct {
    float x, y;
} two_floats;

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_vector, enzyme_scalar;
extern double __enzyme_fwddiff(void *, ...);
extern double complex __enzyme_fwddiff_complex(void *, ...);
extern vec2 __enzyme_fwddiff_vec2(void *, ...);
typedef struct {
    mixed v[4];
} four_mixed;
extern four_mixed __enzyme_autodiff_mixed(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
typedef struct {
    single s;
    two_floats t;
} words;
extern words __enzyme_autodiff_words(void *, ...);
typedef struct {
    double v[3];
} three;
extern three __enzyme_batch(void *, ...);

static double complex product(double complex a, double complex b, double complex c, double complex d)
{
    return a * b * c * d;
}

static double sum_of_mixed(mixed a, mixed b, mixed c, mixed d)
{
    return a.a * a.b * a.k + b.a * b.b * b.k + c.a * c.b * c.k + d.a * d.b * d.k;
}

static double floats(vec3f a, vec3f b, vec3f c, vec3f d, vec3f e)
{
    return a.x * b.y * c.z * d.x * e.y * e.z;
}

static double dot(arrays s, arrays t, long n)
{
    double sum = 0.0;
    for (long i = 0; i < n; i++)
        sum += s.a[i] * s.b[i] * t.a[i] * t.b[i];
    return sum;
}

static double on_the_stack(long n, double e1, double e2, double e3, double e4, single s, two_floats t)
{
    return n * (e1 + e2 + e3 + e4) * s.x * t.x * t.y;
}

static double of_one(mixed m)
{
    return m.a * m.b * m.k;
}

int main(void)
{
    double complex a = 1 + 2 * I, b = 2 - I, c = 0.5 * I, d = 3, one = 1, none = 0;
    double complex dot_z = __enzyme_fwddiff_complex(product, a, one, b, none, c, none, d, one);
    EXPECT(creal(dot_z), creal(b * c * d + a * b * c));
    EXPECT(cimag(dot_z), cimag(b * c * d + a * b * c));

    mixed p = {2, 3, 4}, q = {5, 6, 7}, zero = {0, 0, 0}, ones = {1, 1, 0};
    EXPECT(__enzyme_fwddiff(sum_of_mixed, p, zero, q, zero, p, zero, q, ones), 77);
    EXPECT(__enzyme_fwddiff(sum_of_mixed, enzyme_dup, p, ones, enzyme_const, q, enzyme_const, p, enzyme_dup, q, ones), 97);
    four_mixed bars = __enzyme_autodiff_mixed(sum_of_mixed, enzyme_out, p, enzyme_out, q, enzyme_out, p, enzyme_out, q);
    EXPECT(bars.v[0].a, 12);
    EXPECT(bars.v[1].b, 35);
    EXPECT(bars.v[2].b, 8);
    EXPECT(bars.v[3].a, 42);

    vec3f f = {1, 2, 3}, f0 = {0, 0, 0}, f1 = {1, 1, 1};
    EXPECT(__enzyme_fwddiff(floats, f, f0, f, f0, f, f0, f, f0, f, f1), 30);
    vec2 lanes = __enzyme_fwddiff_vec2(floats, enzyme_width, 2, f, f0, f1, f, f0, f0, f, f0, f0, f, f0, f0, f, f1, f0);
    EXPECT(lanes.x, 30);
    EXPECT(lanes.y, 36);

    double A[2] = {1, 2}, B[2] = {3, 4}, C[2] = {5, 6}, D[2] = {7, 8}, A_bar[2] = {0}, B_bar[2] = {0}, C_bar[2] = {0},
           D_bar[2] = {0};
    arrays s = {A, B}, s_bar = {A_bar, B_bar}, t = {C, D}, t_bar = {C_bar, D_bar};
    __enzyme_autodiff_void(dot, enzyme_dup, s, s_bar, enzyme_dup, t, t_bar, enzyme_const, 2L);
    EXPECT(A_bar[0], 105);
    EXPECT(D_bar[1], 48);
    void *tape = __enzyme_augmentfwd(dot, s, s_bar, t, t_bar, 2L);
    __enzyme_reverse(dot, s, s_bar, t, t_bar, 2L, 10.0, tape);
    EXPECT(A_bar[0], 1155);
    EXPECT(D_bar[1], 528);

    single x = {3};
    two_floats y = {4, 5};
    words w = __enzyme_autodiff_words(on_the_stack, enzyme_const, 2L, enzyme_const, 1.0, enzyme_const, 0.0, enzyme_const,
                                      0.0, enzyme_const, 0.5, enzyme_out, x, enzyme_out, y);
    EXPECT(w.s.x, 60);
    EXPECT(w.t.x, 45);
    EXPECT(w.t.y, 36);

    three values = __enzyme_batch(of_one, enzyme_width, 3, enzyme_vector, p, q, p);
    EXPECT(values.v[0], 24);
    EXPECT(values.v[1], 210);
    EXPECT(values.v[2], 24);
    return expect_failures != 0;
}
