// check: array n=24 flags=-fenable-matrix
// Clang's matrix types: products, transposes, columns in memory with a stride, arithmetic and elements.
#include <math.h>

typedef double square __attribute__((matrix_type(4, 4)));
typedef double tall __attribute__((matrix_type(4, 3)));
typedef double wide __attribute__((matrix_type(3, 4)));

static square gram(tall a, wide b, double scale)
{
    return (a * b + __builtin_matrix_transpose(b) * __builtin_matrix_transpose(a)) * scale;
}

double objective(const double *x, int n)
{
    double memory[32], sum = 0.0;
    tall a = __builtin_matrix_column_major_load(x, 4, 3, 4);
    wide b = __builtin_matrix_column_major_load(x + 1, 3, 4, 5);
    square c = gram(a, b, x[n - 1]);
    for (int step = 0; step < 3; step++) {
        c = c * c / 16.0;
        c[step][3] += sin(c[3][step]);
        c -= gram(a, b, 0.25);
    }
    __builtin_matrix_column_major_store(c, memory, 7);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            sum += (i + 2 * j + 1) * memory[7 * j + i];
    return sum + c[1][2] * c[2][1];
}
