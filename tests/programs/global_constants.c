// check: array n=7
// A constant table at file scope: Gauss points and weights.
#include <math.h>

static const double point[5] = {-0.906179845938664, -0.538469310105683, 0.0, 0.538469310105683, 0.906179845938664};
static const double weight[5] = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                                 0.236926885056189};

static double polynomial(const double *c, int n, double at)
{
    double sum = 0.0;
    for (int i = n - 1; i >= 0; i--)
        sum = sum * at + c[i];
    return sum;
}

double objective(const double *x, int n)
{
    double integral = 0.0;
    for (int q = 0; q < 5; q++)
        integral += weight[q] * exp(-polynomial(x, n, point[q]) * 0.3);
    return integral;
}
