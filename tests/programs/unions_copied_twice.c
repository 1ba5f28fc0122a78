// check: main flags=-Itests/support stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// A union of a float and a double that the caller hands over, copied twice, of which the function uses the float: adjoints
// of floats are added, and of doubles, which nothing here tells, a message ends the program.
#include "expect.h"

struct value {
    int kind;
    union {
        float f;
        double d;
    } u;
};

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static void copied(const struct value *in, struct value *a, struct value *b, double *out)
{
    *a = *in;
    *b = *in;
    *out = 0;
    if (in->kind == 0)
        *out = in->u.f;
}

__attribute__((noinline)) void gradient(struct value *v, struct value *a, struct value *b, double *out)
{
    __enzyme_autodiff((void *)copied, enzyme_dup, v, v + 1, enzyme_dup, a, a + 1, enzyme_dup, b, b + 1, enzyme_dup, out,
                      out + 1);
}

int main(void)
{
    struct value v[2] = {{0, {.f = 2.5f}}}, a[2] = {{0}}, b[2] = {{0}};
    double out[2] = {0, 7};
    a[1].u.f = 3;
    b[1].u.f = 5;
    gradient(v, a, b, out);
    EXPECT(v[1].u.f, 15);
    if (expect_failures)
        return 1;

    struct value other[2] = {{1, {.d = 2.5}}};
    out[1] = 0;
    a[1].u.d = 3;
    b[1].u.d = 5;
    gradient(other, a, b, out);
    printf("FAIL: it went on, with %g\n", other[1].u.d);
    return 0;
}
