// check: main flags=-Itests/support
// Registered rules of functions that read and write memory, with tapes of every form.
#include "expect.h"

#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

// No result, a pointer to the heap as tape.
static void cube(const double *from, double *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * from[i] * from[i];
}
static int runs, frees;
static double *augmented_cube(const double *from, double *d_from, double *to, double *d_to, int n)
{
    (void)d_from, (void)d_to;
    double *tape = malloc(sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        tape[i] = from[i];
        to[i] = from[i] * from[i] * from[i];
    }
    runs++;
    return tape;
}
static void reverse_cube(const double *from, double *d_from, double *to, double *d_to, int n, double *tape)
{
    (void)from, (void)to;
    for (int i = 0; i < n; i++) {
        d_from[i] += 30 * tape[i] * tape[i] * d_to[i];
        d_to[i] = 0;
    }
    free(tape);
    frees++;
}
static void tangent_cube(const double *from, const double *d_from, double *to, double *d_to, int n)
{
    for (int i = 0; i < n; i++) {
        to[i] = from[i] * from[i] * from[i];
        d_to[i] = 40 * d_from[i];
    }
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented_cube, (void *)reverse_cube};
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)tangent_cube};

static double of_cube(double *x, int n)
{
    double y[8];
    cube(x, y, n);
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += y[i] * x[i];
        x[i] = 100; // the tape has what the rule needs
    }
    return total;
}

// A large struct as tape, with the result behind it.
typedef struct {
    double values[5];
    int count;
} record;
typedef struct {
    record tape;
    double result;
} with_record;
static double product(double *x, int n)
{
    double p = 1;
    for (int i = 0; i < n; i++)
        p *= x[i];
    x[0] = 0;
    return p;
}
static with_record augmented_product(double *x, double *d_x, int n)
{
    (void)d_x;
    with_record r = {{{0}, n}, 1};
    for (int i = 0; i < n; i++) {
        r.tape.values[i] = x[i];
        r.result *= x[i];
    }
    x[0] = 0;
    return r;
}
static void reverse_product(double *x, double *d_x, int n, double seed, record tape)
{
    (void)x, (void)n;
    d_x[0] = 0;
    for (int i = 0; i < tape.count; i++) {
        double p = seed;
        for (int j = 0; j < tape.count; j++)
            p *= j == i ? 1 : tape.values[j];
        d_x[i] += 2 * p;
    }
}
void *__enzyme_register_gradient_product[] = {(void *)product, (void *)augmented_product, (void *)reverse_product};

static double of_product(double *x, int n)
{
    double first = product(x, n);
    return 3 * first + x[0] * 7;
}

// A struct of two registers as tape; the function itself gives the result, as it writes nothing.
typedef struct {
    double sum;
    long count;
} small;
static double mean(const double *x, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}
static small augmented_mean(const double *x, double *d_x, long n)
{
    (void)d_x;
    small s = {mean(x, n) * (double)n, n};
    return s;
}
static void reverse_mean(const double *x, double *d_x, long n, double seed, small tape)
{
    (void)x, (void)n;
    for (long i = 0; i < tape.count; i++)
        d_x[i] += seed * tape.sum;
}
void *__enzyme_register_gradient_mean[] = {(void *)mean, (void *)augmented_mean, (void *)reverse_mean};

static double of_mean(const double *x, long n)
{
    return 2 * mean(x, n);
}

// Nothing kept, and no augmented function's result: the rule reads the memory again.
static void add_to(double *total, const double *x)
{
    *total += *x;
}
static void augmented_add(double *total, double *d_total, const double *x, double *d_x)
{
    (void)d_total, (void)d_x;
    *total += *x;
}
static void reverse_add(double *total, double *d_total, const double *x, double *d_x)
{
    (void)total;
    *d_x += 11 * *d_total * *x;
}
void *__enzyme_register_gradient_add[] = {(void *)add_to, (void *)augmented_add, (void *)reverse_add};

static double of_add(const double *x, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        add_to(&total, &x[i]);
    return total;
}

// A rule without the shadow of memory that never has one, and a pointer as result.
static double weighted(const double *w, const double *x)
{
    return w[0] * x[0] + w[1] * x[1];
}
static double augmented_weighted(const double *w, const double *x, double *d_x)
{
    (void)d_x;
    return weighted(w, x);
}
static void reverse_weighted(const double *w, const double *x, double *d_x, double seed)
{
    (void)x;
    d_x[0] += 5 * w[0] * seed;
    d_x[1] += 5 * w[1] * seed;
}
void *__enzyme_register_gradient_weighted[] = {(void *)weighted, (void *)augmented_weighted, (void *)reverse_weighted};

static double of_weighted(const double *w, const double *x)
{
    return weighted(w, x) * x[0];
}

typedef struct {
    int tape;
    double *result, *shadow;
} pointers;
static double *larger(double *a, double *b)
{
    return a[0] > b[0] ? a : b;
}
static pointers augmented_larger(double *a, double *d_a, double *b, double *d_b)
{
    pointers p = {3, a[0] > b[0] ? a : b, a[0] > b[0] ? d_a : d_b};
    return p;
}
static void reverse_larger(double *a, double *d_a, double *b, double *d_b, int tape)
{
    (void)a, (void)b, (void)d_b;
    d_a[0] += tape;
}
void *__enzyme_register_gradient_larger[] = {(void *)larger, (void *)augmented_larger, (void *)reverse_larger};

static double of_larger(double *x)
{
    double *l = larger(&x[0], &x[1]);
    return *l * *l;
}

int main(void)
{
    double x[3] = {1, 2, 3}, bar[3] = {0};
    __enzyme_autodiff((void *)of_cube, x, bar, 3);
    EXPECT(bar[0], 1 + 30);
    EXPECT(bar[1], 8 + 240);
    EXPECT(bar[2], 27 + 810);
    EXPECT(runs, 1);
    EXPECT(frees, 1);
    double y[3] = {1, 2, 3}, dot[3] = {0, 1, 0};
    EXPECT(__enzyme_fwddiff((void *)of_cube, y, dot, 3), 8 + 80);

    double z[3] = {2, 3, 4}, z_bar[3] = {0};
    __enzyme_autodiff((void *)of_product, z, z_bar, 3);
    EXPECT(z_bar[0], 72);
    EXPECT(z_bar[1], 48);
    EXPECT(z_bar[2], 36);

    double m[3] = {2, 3, 4}, m_bar[3] = {0};
    __enzyme_autodiff((void *)of_mean, m, m_bar, 3L);
    EXPECT(m_bar[0], 18);
    EXPECT(m_bar[2], 18);

    double a[3] = {2, 3, 4}, a_bar[3] = {0};
    __enzyme_autodiff((void *)of_add, a, a_bar, 3);
    EXPECT(a_bar[0], 22);
    EXPECT(a_bar[2], 44);

    double w[2] = {2, 3}, v[2] = {5, 7}, v_bar[2] = {0};
    __enzyme_autodiff((void *)of_weighted, enzyme_const, w, enzyme_dup, v, v_bar);
    EXPECT(v_bar[0], 31 + 50);
    EXPECT(v_bar[1], 75);

    double p[2] = {2, 3}, p_bar[2] = {0};
    __enzyme_autodiff((void *)of_larger, p, p_bar);
    EXPECT(p_bar[0], 3);
    EXPECT(p_bar[1], 6);
    return expect_failures != 0;
}
