// logsumexp.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>

template <class T> void evaluate(const Problem &p, int, const T *x, T *y)
{
    const int n = p.n;
    using std::exp;
    using std::log;
    T top = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > top)
            top = x[i];
    T sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - top);
    y[0] = top + log(sum);
}
