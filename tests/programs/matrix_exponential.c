// check: array n=9 range=-0.4:0.4
// exp of a 3x3 matrix by scaling, Taylor's series and repeated squaring with a temporary.
#include <string.h>

enum { N = 3 };

static void multiply(const double *a, const double *b, double *out)
{
    double product[N * N] = {0};
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                product[i * N + j] += a[i * N + k] * b[k * N + j];
    memcpy(out, product, sizeof product);
}

double objective(const double *x, int n)
{
    double a[N * N], term[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, sum[N * N];
    memcpy(sum, term, sizeof sum);
    for (int i = 0; i < n; i++)
        a[i] = x[i] / 8.0;
    for (int k = 1; k <= 10; k++) {
        multiply(term, a, term);
        for (int i = 0; i < n; i++) {
            term[i] /= k;
            sum[i] += term[i];
        }
    }
    for (int s = 0; s < 3; s++)
        multiply(sum, sum, sum);
    double norm = 0.0;
    for (int i = 0; i < n; i++)
        norm += sum[i] * sum[i] * (i + 1);
    return norm;
}
