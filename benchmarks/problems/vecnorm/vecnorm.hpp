// vecnorm.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

template <class T> T magnitude(int n, const T *v)
{
    using std::sqrt;
    T sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    T root = sqrt(sum);
    return root;
}

template <class T> void evaluate(const Problem &p, int, const T *x, T *y)
{
    const int n = p.n;
    std::vector<T> out(n);
    for (int i = 0; i < n; i++)
        out[i] = x[i] / magnitude(n, x);
    T sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += p.weight[i] * out[i];
    y[0] = sum;
}
