// check: array n=36 flags=-fenable-matrix
// Matrix types as members of templates, in vectors of layers.
#include <cmath>
#include <vector>

template <unsigned R, unsigned C>
struct Matrix {
    using Type = double __attribute__((matrix_type(R, C)));
    Type v;
};

template <unsigned R, unsigned K, unsigned C>
Matrix<R, C> operator*(const Matrix<R, K> &a, const Matrix<K, C> &b)
{
    return {a.v * b.v};
}

struct Layer {
    Matrix<4, 4> weights;
    Matrix<4, 1> bias;
    int number;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<Layer> net(2);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++)
                net[k].weights.v[i][j] = x[(4 * i + j + 16 * k) % n];
            net[k].bias.v[i][0] = x[n - 1 - i];
        }
        net[k].number = k;
    }
    Matrix<4, 1> state;
    for (int i = 0; i < 4; i++)
        state.v[i][0] = x[i];
    for (int step = 0; step < 3; step++)
        for (const Layer &layer : net) {
            state = layer.weights * state;
            state.v += layer.bias.v * static_cast<double>(layer.number);
            for (int i = 0; i < 4; i++)
                state.v[i][0] = std::tanh(state.v[i][0]);
        }
    Matrix<1, 4> row;
    row.v = __builtin_matrix_transpose(state.v);
    return (row * state).v[0][0];
}
