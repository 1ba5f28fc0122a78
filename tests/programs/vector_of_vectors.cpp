// check: array n=9
// A matrix as a vector of vectors, returned by value.
#include <vector>

using Matrix = std::vector<std::vector<double>>;

static Matrix multiply(const Matrix &a, const Matrix &b)
{
    Matrix out(a.size(), std::vector<double>(b[0].size(), 0.0));
    for (std::size_t i = 0; i < a.size(); i++)
        for (std::size_t j = 0; j < b[0].size(); j++)
            for (std::size_t k = 0; k < b.size(); k++)
                out[i][j] += a[i][k] * b[k][j];
    return out;
}

extern "C" double objective(const double *x, int n)
{
    Matrix m(3, std::vector<double>(3));
    for (int i = 0; i < n; i++)
        m[i / 3][i % 3] = x[i];
    Matrix cube = multiply(multiply(m, m), m);
    return cube[0][0] * cube[2][1] + cube[1][2];
}
