// check: array n=3 refused=E0201
// Numbers that are copied to variables of another type, and read there as that type: bits without derivative.
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
static float kept[8];

NOINLINE static void put(double *to, double value) { *to = value; }
NOINLINE static float square(const float *f, int i) { return f[i] * f[i]; }

static double of_variable(const double *x, int n)
{
    float halves[2];
    double product = x[0] * x[1];
    memcpy(halves, &product, sizeof product);
    return square(halves, n % 2);
}

static double of_array(const double *x, int n)
{
    float halves[2];
    double products[3];
    put(products + n % 2, x[0] * x[1]);
    memcpy(halves, products, sizeof *products);
    return square(halves, n % 2);
}

static double of_allocated(const double *x, int n)
{
    double *products = malloc(3 * sizeof *products);
    put(products + n % 2, x[0] * x[1]);
    memcpy(kept, products, n * sizeof *kept);
    free(products);
    return square(kept, n % 2);
}

double objective(double *x, int n) { return of_variable(x, n) + of_array(x, n) + of_allocated(x, n); }
