// check: main
// The derivative of a function that asks for both passes itself: its tape is freed once, after both sweeps.
#include <math.h>
#include <stddef.h>
extern int enzyme_nofree, enzyme_tape, enzyme_allocated;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern size_t __enzyme_augmentsize(void *, ...);
extern double __enzyme_autodiff(void *, ...);

static double f(double x)
{
    double y = x;
    for (int i = 0; i < 3; i++)
        y = sin(y) * x + y * y;
    return y;
}
static double once(double x)
{
    void *tape = __enzyme_augmentfwd((void *)f, x);
    return __enzyme_reverse((void *)f, x, 1.0, tape);
}
static double twice(double x)
{
    void *tape = __enzyme_augmentfwd((void *)f, x);
    double r = __enzyme_reverse((void *)f, enzyme_nofree, x, 1.0, tape);
    return r * __enzyme_reverse((void *)f, x, r, tape);
}
static double forward(double x)
{
    void *tape = __enzyme_augmentfwd((void *)f, x);
    return __enzyme_fwdsplit((void *)f, x, 1.0, tape);
}
static double often(double x)
{
    double r = 0;
    for (int i = 0; i < 3; i++)
        r += once(x + .1 * i) * i;
    return r;
}

static int differs(double (*g)(double), double derivative)
{
    const double h = 1e-5, x = .8, expected = (g(x + h) - g(x - h)) / 2 / h;
    return !(fabs(derivative - expected) < 1e-6 * (1 + fabs(expected)));
}

int main(void)
{
    return differs(once, __enzyme_autodiff((void *)once, .8)) || differs(twice, __enzyme_autodiff((void *)twice, .8)) ||
           differs(forward, __enzyme_autodiff((void *)forward, .8)) ||
           differs(often, __enzyme_autodiff((void *)often, .8));
}
