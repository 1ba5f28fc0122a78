// check: array n=9
// std::array in std::array: a fixed matrix, passed and returned by value.
#include <array>
#include <cmath>

using Matrix = std::array<std::array<double, 3>, 3>;

static Matrix multiply(const Matrix &a, const Matrix &b)
{
    Matrix c{};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c[i][j] += a[i][k] * b[k][j];
    return c;
}

static double determinant(Matrix m)
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

extern "C" double objective(const double *x, int n)
{
    Matrix m;
    for (int i = 0; i < n; i++)
        m[i / 3][i % 3] = x[i] + (i % 4 == 0 ? 1.0 : 0.0);
    Matrix square = multiply(m, m);
    return determinant(multiply(square, m)) + square[1][2];
}
