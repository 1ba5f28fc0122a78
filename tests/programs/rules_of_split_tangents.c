// check: main flags=-Itests/support
// Registered tangents of split mode: with the gradient's augmented function, with one of their own, with attributes;
// tapes of numbers, structs and none. The rules give other derivatives than the bodies would.
#include "expect.h"

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_nofree;
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
void __enzyme_fwdsplit_memory(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_fwddiff(void *, ...);
typedef struct {
    double lane[2];
} two;
two __enzyme_fwdsplit_two(void *, ...);

// The tape is a number, and gradient and tangent share it.
typedef struct {
    double tape, result;
} kept;
static double root(double x)
{
    return sqrt(x);
}
static kept augmented_root(double x)
{
    kept k = {2 * sqrt(x), sqrt(x)};
    return k;
}
static double reverse_root(double x, double seed, double tape)
{
    (void)x;
    return 7 * seed / tape;
}
static double tangent_root(double x, double x_dot, double tape)
{
    (void)x;
    return 5 * x_dot / tape;
}
void *__enzyme_register_gradient_root[] = {(void *)root, (void *)augmented_root, (void *)reverse_root};
void *__enzyme_register_splitderivative_root[] = {(void *)root, (void *)augmented_root, (void *)tangent_root};

static double of_root(double x, int n)
{
    double total = 0;
    for (int i = 1; i <= n; i++)
        total += i * root(i * x);
    return total;
}

static void check_numbers(void)
{
    double x = 1.7, sum = 0;
    for (int i = 1; i <= 3; i++)
        sum += i * i / (2 * sqrt(i * x));
    void *tape = __enzyme_augmentfwd((void *)of_root, x, 3);
    EXPECT(__enzyme_fwdsplit((void *)of_root, enzyme_nofree, x, 0.5, 3, tape), 5 * 0.5 * sum);
    EXPECT(__enzyme_reverse((void *)of_root, x, 3, 2.0, tape), 7 * 2.0 * sum);

    tape = __enzyme_augmentfwd((void *)root, x);
    EXPECT(__enzyme_fwdsplit((void *)root, x, 1.5, tape), 5 * 1.5 / (2 * sqrt(x)));
}

// Memory, no gradient at all, and a struct as tape. What the function overwrites is in the tape; the caller may change
// the memory meanwhile.
static void scale(double *x, long n, double by)
{
    for (long i = 0; i < n; i++)
        x[i] *= by;
}
typedef struct {
    double first, by;
    long n;
} record;
static record augmented_scale(double *x, double *x_bar, long n, double by)
{
    (void)x_bar;
    record r = {x[0], by, n};
    for (long i = 0; i < n; i++)
        x[i] *= by;
    return r;
}
static void tangent_scale(double *x, double *x_dot, long n, double by, double by_dot, record tape)
{
    (void)x, (void)by;
    for (long i = 0; i < tape.n && i < n; i++)
        x_dot[i] = tape.by * x_dot[i] + 10 * tape.first * by_dot;
}
void *__enzyme_register_splitderivative_scale[] = {(void *)scale, (void *)augmented_scale, (void *)tangent_scale};

static double of_scale(double *x, double by)
{
    scale(x, 2, by * by);
    return x[0] * x[1];
}

static void check_memory(void)
{
    double x[2] = {1.5, 2.5}, x_bar[2] = {0, 0}, x_dot[2] = {0.5, -1}, by = 1.2;
    void *tape = __enzyme_augmentfwd((void *)of_scale, enzyme_dup, x, x_bar, by);
    EXPECT(x[1], 2.5 * by * by);
    double a = x[0], b = x[1], factor_dot = 2 * by * 0.25;
    x[0] = x[1] = 1e9;
    double got = __enzyme_fwdsplit((void *)of_scale, enzyme_dup, x, x_dot, by, 0.25, tape);
    double a_dot = by * by * 0.5 + 10 * 1.5 * factor_dot, b_dot = -by * by + 10 * 1.5 * factor_dot;
    EXPECT(x_dot[0], a_dot);
    EXPECT(x_dot[1], b_dot);
    EXPECT(got, a_dot * b + a * b_dot);
}

// Without an augmented function there is no tape: the function itself runs first.
static double tangent_cube(double x, double x_dot)
{
    return 4 * x * x * x_dot;
}
__attribute__((enzyme("splitderivative", tangent_cube))) static double cube(double x)
{
    return x * x * x;
}
static double of_cube(double x)
{
    return cube(x) * x;
}

static void check_attributes(void)
{
    double x = 1.3;
    void *tape = __enzyme_augmentfwd((void *)of_cube, x);
    EXPECT(__enzyme_fwdsplit((void *)of_cube, x, 2.0, tape), 2.0 * (4 * x * x * x + x * x * x));
    EXPECT(__enzyme_fwddiff((void *)of_cube, x, 2.0), 2.0 * 4 * x * x * x);

    tape = __enzyme_augmentfwd((void *)of_cube, enzyme_width, 2, x);
    two both = __enzyme_fwdsplit_two((void *)of_cube, enzyme_width, 2, x, 2.0, -1.0, tape);
    EXPECT(both.lane[0], 2.0 * (4 * x * x * x + x * x * x));
    EXPECT(both.lane[1], -1.0 * (4 * x * x * x + x * x * x));
}

// A function that returns a pointer: its tangent comes from the rule.
static double *second(double *x)
{
    return x + 1;
}
typedef struct {
    double *result, *shadow;
} pointers;
static pointers augmented_second(double *x, double *x_bar)
{
    pointers p = {x + 1, x_bar + 1};
    return p;
}
static double *tangent_second(double *x, double *x_dot)
{
    (void)x;
    return x_dot; // not + 1, so that it shows
}
void *__enzyme_register_splitderivative_second[] = {(void *)second, (void *)augmented_second, (void *)tangent_second};

static double of_second(double *x)
{
    double *p = second(x);
    return p[0] * p[0];
}

static void check_pointers(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0, 0}, x_dot[2] = {10, 1};
    void *tape = __enzyme_augmentfwd((void *)of_second, enzyme_dup, x, x_bar);
    EXPECT(__enzyme_fwdsplit((void *)of_second, enzyme_dup, x, x_dot, tape), 2 * 3 * 10);
}

int main(void)
{
    check_numbers();
    check_memory();
    check_attributes();
    check_pointers();
    return expect_failures != 0;
}
