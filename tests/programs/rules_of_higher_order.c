// check: main flags=-Itests/support
// Rules in derivatives of derivatives, rules that ask for derivatives themselves, rules in several directions at once, in
// loops, in recursion, and through the user's own split mode.
#include "expect.h"

#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
typedef struct {
    double first, second;
} two;
two __enzyme_fwddiff_two(void *, ...);
two __enzyme_autodiff_two(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width;

// x³ with its rule; the derivatives of the rule functions are made by the pass.
static double cube(double x)
{
    return x * x * x;
}
typedef struct {
    double tape, result;
} kept;
static kept augmented_cube(double x)
{
    kept k = {x * x, x * x * x};
    return k;
}
static double reverse_cube(double x, double seed, double tape)
{
    (void)x;
    return 3 * tape * seed;
}
static double tangent_cube(double x, double x_dot)
{
    return 3 * x * x * x_dot;
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented_cube, (void *)reverse_cube};
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)tangent_cube};

static double f(double x)
{
    return 2 * cube(x) * x;
}
static double gradient(double x)
{
    return __enzyme_autodiff((void *)f, x);
}
static double tangent(double x)
{
    return __enzyme_fwddiff((void *)f, x, 1.0);
}

// The root of y³ + y = x by Newton's method; its rule differentiates the residual.
static double residual(double y, double x)
{
    return y * y * y + y - x;
}
static double root(double x)
{
    double y = x;
    for (int i = 0; i < 60 && fabs(residual(y, x)) > 1e-15; i++)
        y -= residual(y, x) / (3 * y * y + 1);
    return y;
}
static kept augmented_root(double x)
{
    double y = root(x);
    kept k = {y, y};
    return k;
}
static double reverse_root(double x, double seed, double y)
{
    two partial = __enzyme_autodiff_two((void *)residual, y, x);
    return -seed * partial.second / partial.first;
}
void *__enzyme_register_gradient_root[] = {(void *)root, (void *)augmented_root, (void *)reverse_root};
static double of_root(double x)
{
    return root(x) * root(x);
}

// In loops and recursion: a tape for each call.
static double powers(const double *x, int n)
{
    if (n == 0)
        return 0;
    double total = powers(x, n - 1);
    for (int i = 0; i < n; i++)
        total += cube(x[i]) * total;
    return total + cube(x[0]);
}

// Several directions at once.
static double norm(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s;
}
static double *augmented_norm(const double *x, double *d_x, int n)
{
    (void)d_x;
    double *tape = malloc(sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++)
        tape[i] = x[i];
    return tape;
}
static int freed;
static void reverse_norm(const double *x, double *d_x, int n, double seed, double *tape)
{
    (void)x;
    for (int i = 0; i < n; i++)
        d_x[i] += 20 * seed * tape[i];
    free(tape);
    freed++;
}
static double tangent_norm(const double *x, const double *x_dot, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += 20 * x[i] * x_dot[i];
    return s;
}
void *__enzyme_register_gradient_norm[] = {(void *)norm, (void *)augmented_norm, (void *)reverse_norm};
void *__enzyme_register_derivative_norm[] = {(void *)norm, (void *)tangent_norm};
static double of_norm(const double *x, int n)
{
    return 3 * norm(x, n);
}
static void both(const double *x, double *y, int n)
{
    y[0] = norm(x, n);
    y[1] = cube(x[0]);
}

// A member function of a table, and a rule that is asked for by itself.
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

int main(void)
{
    EXPECT(gradient(2.0), 64);
    EXPECT(__enzyme_fwddiff((void *)gradient, 2.0, 1.0), 96);
    EXPECT(__enzyme_autodiff((void *)gradient, 2.0), 96);
    EXPECT(__enzyme_autodiff((void *)tangent, 2.0), 96);
    EXPECT(__enzyme_fwddiff((void *)tangent, 2.0, 1.0), 96);

    double y = root(2.0), want = 2 * y / (3 * y * y + 1);
    EXPECT(__enzyme_autodiff((void *)of_root, 2.0), want);

    double x[3] = {0.5, 0.25, 2}, bar[3] = {0}, step = 1e-6;
    __enzyme_autodiff((void *)powers, x, bar, 3);
    for (int i = 0; i < 3; i++) {
        double value = x[i];
        x[i] = value + step;
        double up = powers(x, 3);
        x[i] = value - step;
        double difference = (up - powers(x, 3)) / (2 * step);
        x[i] = value;
        EXPECT(fabs(bar[i] - difference) < 1e-6 * (1 + fabs(difference)), 1);
    }

    double a[2] = {1, 0}, b[2] = {0, 1}, v[2] = {3, 5};
    two lanes = __enzyme_fwddiff_two((void *)of_norm, enzyme_width, 2, enzyme_dup, v, a, b, enzyme_const, 2);
    EXPECT(lanes.first, 180);
    EXPECT(lanes.second, 300);
    double v_bar[2] = {0};
    __enzyme_autodiff((void *)of_norm, enzyme_dup, v, v_bar, 2);
    EXPECT(v_bar[1], 300);
    EXPECT(freed, 1);
    double r[2], r1[2] = {1, 0}, r2[2] = {0, 1}, w1[2] = {0}, w2[2] = {0};
    __enzyme_autodiff((void *)both, enzyme_width, 2, enzyme_dup, v, w1, w2, enzyme_dup, r, r1, r2, enzyme_const, 2);
    EXPECT(r[0], 34);
    EXPECT(w1[0], 60);
    EXPECT(w1[1], 100);
    EXPECT(w2[0], 27);
    EXPECT(w2[1], 0);
    EXPECT(freed, 3);

    double bars[2] = {0};
    void *tape = __enzyme_augmentfwd((void *)of_norm, enzyme_dup, v, bars, enzyme_const, 2);
    v[0] = v[1] = 0;
    __enzyme_reverse((void *)of_norm, enzyme_dup, v, bars, enzyme_const, 2, 1.0, tape);
    EXPECT(bars[0], 180);
    EXPECT(bars[1], 300);
    return expect_failures != 0;
}
