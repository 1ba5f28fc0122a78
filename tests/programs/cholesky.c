// check: array n=20 range=-0.5:0.5
// Cholesky factor of a positive definite matrix, in place in a heap buffer; its log determinant.
#include <math.h>
#include <stdlib.h>

static int factor(int n, double *a)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
        if (a[j * n + j] <= 0.0)
            return 0;
        double root = sqrt(a[j * n + j]);
        for (int i = j; i < n; i++)
            a[i * n + j] /= root;
    }
    return 1;
}

double objective(const double *x, int n)
{
    int size = 4;
    double *a = malloc(sizeof(double) * size * size), result = 0.0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            a[i * size + j] = i == j ? 1.0 : 0.0;
            for (int k = 0; k < n / size; k++)
                a[i * size + j] += x[k * size + i] * x[k * size + j];
        }
    if (factor(size, a))
        for (int i = 0; i < size; i++)
            result += 2.0 * log(a[i * size + i]);
    free(a);
    return result;
}
