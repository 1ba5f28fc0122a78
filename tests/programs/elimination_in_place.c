// check: inplace n=20 range=0.5:1.5
// A matrix of 4 rows of 5, eliminated in place from above, then from below; the last column is the right-hand side.
// What is read of a row is final or is overwritten later: both happen, in columns and in rows.
#include <math.h>

void transform(double *x, int n)
{
    int rows = 4, width = n / rows;
    for (int i = 0; i < rows; i++)
        x[i * width + i] += 4.0;
    for (int k = 0; k < rows; k++)
        for (int i = k + 1; i < rows; i++) {
            double factor = x[i * width + k] / x[k * width + k];
            x[i * width + k] = factor;
            for (int j = k + 1; j < width; j++)
                x[i * width + j] -= factor * x[k * width + j];
        }
    for (int k = rows - 1; k >= 0; k--) {
        double *right = x + width - 1;
        for (int j = k + 1; j < rows; j++)
            right[k * width] -= x[k * width + j] * right[j * width];
        right[k * width] /= x[k * width + k];
    }
    for (int i = 1; i < n; i++)
        x[i] += sin(x[i - 1]);
}
