// check: main refused=E0114@-O0+-O1+-O2+-O2-fno-inline
// A union that a function returns is an integer in a register: nothing tells whether it is the bits of a number.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef union {
    long n;
    double d;
} value;

typedef struct {
    value v;
    double x;
} cell;

__attribute__((noinline)) static value get(const cell *c) { return c->v; }

static double moved(cell *c)
{
    c[1].v = get(c);
    return c->x * c->x;
}

int main(void)
{
    cell c[2], d[2];
    memset(c, 0, sizeof c);
    memset(d, 0, sizeof d);
    c[0].v.d = 1.5;
    c[0].x = 3;
    d[0].v.d = 2;
    double forward = __enzyme_fwddiff((void *)moved, enzyme_dup, c, d) + d[1].v.d;
    memset(d, 0, sizeof d);
    d[1].v.d = 0.5;
    __enzyme_autodiff((void *)moved, enzyme_dup, c, d);
    if (forward == 2 && d[0].v.d == 0.5 && d[1].v.d == 0 && d[0].x == 6)
        return 0;
    printf("FAIL: %g %g %g %g\n", forward, d[0].v.d, d[1].v.d, d[0].x);
    return 1;
}
