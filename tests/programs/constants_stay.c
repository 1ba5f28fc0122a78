// check: main
// Memory passed as constant is not written to, even where a struct with a shadow points to it.
#include "../support/expect.h"

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

struct fit {
    const double *values, *weights;
    int size;
};

__attribute__((noinline)) static double total(const struct fit *fit)
{
    double sum = 0;
    for (int i = 0; i < fit->size; i++)
        sum += fit->values[i] * fit->weights[i];
    return sum;
}

static double weighted(const double *x, const double *weights, int n)
{
    struct fit fit = {x, weights, n};
    return total(&fit);
}

int main(void)
{
    double x[3] = {1, 2, 3}, x_bar[3] = {0}, weights[3] = {4, 5, 6};
    __enzyme_autodiff((void *)weighted, enzyme_dup, x, x_bar, enzyme_const, weights, enzyme_const, 3);
    for (int i = 0; i < 3; i++) {
        EXPECT(x_bar[i], 4 + i);
        EXPECT(weights[i], 4 + i);
    }
    return expect_failures;
}
