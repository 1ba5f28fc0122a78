// mlp.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

template <class A, class T> void affine(int rows, int in, int cols, const A *a, const T *w, const T *b, T *out)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            out[r * cols + c] = b[c];
        for (int i = 0; i < in; i++)
            for (int c = 0; c < cols; c++)
                out[r * cols + c] += a[r * in + i] * w[i * cols + c];
    }
}

template <class T> void evaluate(const Problem &p, int, const T *par, T *y)
{
    const int batch = p.batch, in = p.in, mid = p.mid, classes = p.classes;
    using std::exp;
    using std::log;
    using std::tanh;
    const T *w1 = par, *b1 = w1 + in * mid, *w2 = b1 + mid;
    const T *b2 = w2 + mid * mid, *w3 = b2 + mid, *b3 = w3 + mid * classes;
    std::vector<T> h1(batch * mid), h2(batch * mid), z(batch * classes);
    affine(batch, in, mid, p.rows.data(), w1, b1, &h1[0]);
    for (T &v : h1)
        v = tanh(v);
    affine(batch, mid, mid, &h1[0], w2, b2, &h2[0]);
    for (T &v : h2)
        v = tanh(v);
    affine(batch, mid, classes, &h2[0], w3, b3, &z[0]);
    T loss = 0.0;
    for (int r = 0; r < batch; r++) {
        const T *row = &z[r * classes];
        T top = row[0];
        for (int c = 1; c < classes; c++)
            if (row[c] > top)
                top = row[c];
        T sum = 0.0;
        for (int c = 0; c < classes; c++)
            sum += exp(row[c] - top);
        loss += top + log(sum) - row[p.label[r]];
    }
    y[0] = loss / double(batch);
}
