// spmv.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

template <class T> void evaluate(const Problem &p, int, const T *x, T *y)
{
    using std::sqrt;
    const T *start = x + p.column.size();
    std::vector<T> v(start, start + p.n), w(p.n);
    T last = 0.0;
    for (int r = 0; r < p.rounds; r++) {
        T square = 0.0;
        last = 0.0;
        for (int i = 0; i < p.n; i++) {
            T sum = 0.0;
            for (int k = p.first[i]; k < p.first[i + 1]; k++)
                sum += x[k] * v[p.column[k]];
            w[i] = sum;
            square += w[i] * w[i];
            last += v[i] * w[i];
        }
        const T norm = sqrt(square);
        for (int i = 0; i < p.n; i++)
            v[i] = w[i] / norm;
    }
    y[0] = last;
}
