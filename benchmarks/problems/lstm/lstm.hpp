// lstm.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

namespace lstm {

template <class T> T sigmoid(const T &x)
{
    using std::exp;
    return 1.0 / (1.0 + exp(-x));
}

template <class T>
void layer(int b, const T *weight, const T *bias, const T *in, T *hidden, T *cell)
{
    using std::tanh;
    for (int i = 0; i < b; i++) {
        T forget = sigmoid<T>(in[i] * weight[i] + bias[i]);
        T ingate = sigmoid<T>(hidden[i] * weight[b + i] + bias[b + i]);
        T outgate = sigmoid<T>(in[i] * weight[2 * b + i] + bias[2 * b + i]);
        T change = tanh(hidden[i] * weight[3 * b + i] + bias[3 * b + i]);
        cell[i] = cell[i] * forget + ingate * change;
        hidden[i] = outgate * tanh(cell[i]);
    }
}

template <class T>
T objective(int l, int b, int c, const T *main, const T *extra,
            const double *state, const double *sequence)
{
    using std::exp;
    using std::log;
    std::vector<T> now(2 * l * b), in(b);
    for (int i = 0; i < 2 * l * b; i++)
        now[i] = state[i];
    T total = 0.0;
    for (int t = 0; t + 1 < c; t++) {
        for (int i = 0; i < b; i++)
            in[i] = sequence[t * b + i] * extra[i];
        for (int j = 0; j < l; j++) {
            const T *weight = &main[j * 8 * b];
            T *hidden = &now[j * 2 * b];
            layer<T>(b, weight, weight + 4 * b, &in[0], hidden, hidden + b);
            for (int i = 0; i < b; i++)
                in[i] = hidden[i];
        }
        T sum = 2.0;
        for (int i = 0; i < b; i++) {
            in[i] = in[i] * extra[b + i] + extra[2 * b + i];
            sum += exp(in[i]);
        }
        const T lse = log(sum);
        for (int i = 0; i < b; i++)
            total += sequence[(t + 1) * b + i] * (in[i] - lse);
    }
    T result = -total / double((c - 1) * b);
    return result;
}
}  // namespace lstm

template <class T> void evaluate(const Problem &p, int, const T *x, T *y)
{
    y[0] = lstm::objective<T>(p.l, p.b, p.c, x, x + p.weights, p.state.data(), p.sequence.data());
}
