// check: main flags=-Itests/support
// Registered rules of functions of numbers passed by value. The rules give other derivatives than the bodies would, so
// that it shows which was used.
#include "expect.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
typedef struct {
    double a, b;
} two;
two __enzyme_autodiff_two(void *, ...);
typedef struct {
    double a;
    float b;
} mixed;
mixed __enzyme_autodiff_mixed(void *, ...);

// One number, no tape: the augmented function returns the result.
static double square(double x)
{
    return x * x;
}
static double augmented_square(double x)
{
    return x * x;
}
static double reverse_square(double x, double seed)
{
    return 100 * x * seed;
}
static double tangent_square(double x, double x_dot)
{
    return 10 * x * x_dot;
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented_square, (void *)reverse_square};
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)tangent_square};

static double of_square(double x)
{
    return 3 * square(x) + x;
}

// A number as tape, in a struct with the result.
typedef struct {
    double tape, result;
} kept;
static double root(double x)
{
    return sqrt(x);
}
static kept augmented_root(double x)
{
    kept k = {sqrt(x), sqrt(x)};
    return k;
}
static double reverse_root(double x, double seed, double tape)
{
    (void)x;
    return seed * 7 / tape;
}
static kept tangent_root(double x, double x_dot)
{
    kept both = {sqrt(x), 5 * x_dot};
    return both;
}
void *__enzyme_register_gradient_root[] = {(void *)root, (void *)augmented_root, (void *)reverse_root};
void *__enzyme_register_derivative_root[] = {(void *)root, (void *)tangent_root};

static double of_root(double x)
{
    double total = 0;
    for (int i = 1; i <= 4; i++)
        total += root(i * x);
    return total;
}

// Two numbers and an integer: the adjoints come back in a struct.
static double scaled(double a, int times, double b)
{
    return a * b * times;
}
static double augmented_scaled(double a, int times, double b)
{
    return a * b * times;
}
static two reverse_scaled(double a, int times, double b, double seed)
{
    two bars = {10 * b * times * seed, 20 * a * times * seed};
    return bars;
}
static double tangent_scaled(double a, double a_dot, int times, double b, double b_dot)
{
    return 10 * times * (a_dot * b + 2 * a * b_dot);
}
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)augmented_scaled, (void *)reverse_scaled};
void *__enzyme_register_derivative_scaled[] = {(void *)scaled, (void *)tangent_scaled};

static double of_scaled(double a, double b)
{
    return scaled(a, 3, b) + a;
}
static double of_one(double a)
{
    return scaled(a, 2, 5.0);
}

// Floats: tape and result in one register, adjoints of different sizes.
typedef struct {
    float tape, result;
} float_kept;
static float half(double a, float b)
{
    return (float)(a / 2) * b;
}
static float_kept augmented_half(double a, float b)
{
    float_kept k = {b + 1, (float)(a / 2) * b};
    return k;
}
static mixed reverse_half(double a, float b, float seed, float tape)
{
    (void)b;
    mixed bars = {(double)(seed * tape), seed * (float)a * 3};
    return bars;
}
static float_kept tangent_half(double a, double a_dot, float b, float b_dot)
{
    float_kept both = {(float)(a / 2) * b, (float)(4 * a_dot) + 3 * b_dot};
    return both;
}
void *__enzyme_register_gradient_half[] = {(void *)half, (void *)augmented_half, (void *)reverse_half};
void *__enzyme_register_derivative_half[] = {(void *)half, (void *)tangent_half};

static double of_half(double a, float b)
{
    return 2 * (double)half(a, b);
}

// An integer as tape beside a float, three numbers in memory.
typedef struct {
    double x, y, z;
} three;
typedef struct {
    int tape;
    float result;
} int_kept;
static float choose(double x, double y, double z)
{
    return (float)(x > y ? x * z : y * z);
}
static int_kept augmented_choose(double x, double y, double z)
{
    int_kept k = {x > y ? 1 : 2, choose(x, y, z)};
    return k;
}
static three reverse_choose(double x, double y, double z, float seed, int tape)
{
    three bars = {0, 0, 0};
    if (tape == 1)
        bars.x = 10 * z * (double)seed;
    else
        bars.y = 20 * z * (double)seed;
    bars.z = (x + y) * (double)seed;
    return bars;
}
void *__enzyme_register_gradient_choose[] = {(void *)choose, (void *)augmented_choose, (void *)reverse_choose};

static double of_choose(double x)
{
    return (double)choose(x, 2, 5) + (double)choose(3, 4, x);
}

int main(void)
{
    EXPECT(__enzyme_autodiff((void *)of_square, 2.0), 601);
    EXPECT(__enzyme_fwddiff((void *)of_square, 2.0, 1.0), 61);
    EXPECT(__enzyme_autodiff((void *)square, 2.0), 200);
    EXPECT(__enzyme_fwddiff((void *)square, 2.0, 1.0), 20);
    double want = 0;
    for (int i = 1; i <= 4; i++)
        want += i * 7 / sqrt(i * 2.0);
    EXPECT(__enzyme_autodiff((void *)of_root, 2.0), want);
    EXPECT(__enzyme_fwddiff((void *)of_root, 2.0, 1.0), 50);
    two bars = __enzyme_autodiff_two((void *)of_scaled, 2.0, 5.0);
    EXPECT(bars.a, 151);
    EXPECT(bars.b, 120);
    EXPECT(__enzyme_fwddiff((void *)of_scaled, 2.0, 1.0, 5.0, 0.0), 151);
    EXPECT(__enzyme_fwddiff((void *)of_scaled, 2.0, 0.0, 5.0, 1.0), 120);
    EXPECT(__enzyme_autodiff((void *)of_one, 3.0), 100);
    EXPECT(__enzyme_fwddiff((void *)of_one, 3.0, 1.0), 100);
    mixed halves = __enzyme_autodiff_mixed((void *)of_half, 2.0, 4.0F);
    EXPECT(halves.a, 10);
    EXPECT(halves.b, 12);
    EXPECT(__enzyme_fwddiff((void *)of_half, 2.0, 1.0, 4.0F, 0.0F), 8);
    EXPECT(__enzyme_fwddiff((void *)of_half, 2.0, 0.0, 4.0F, 1.0F), 6);
    EXPECT(__enzyme_autodiff((void *)of_choose, 3.0), 57);
    EXPECT(__enzyme_fwddiff((void *)of_choose, 3.0, 1.0), 5 + 4); // no rule for forward mode: the body
    return expect_failures != 0;
}
