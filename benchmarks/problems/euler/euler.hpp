// euler.c for any scalar.
#pragma once
#include "problem.hpp"

template <class T> void rate(const T *y, const T *par, T *out)
{
    out[0] = par[0] * (y[1] - y[0]);
    out[1] = y[0] * (par[1] - y[2]) - y[1];
    out[2] = y[0] * y[1] - par[2] * y[2];
}

template <class T> void evaluate(const Problem &p, int, const T *x, T *result)
{
    T y[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < p.steps; i++) {
        T k[3];
        rate<T>(y, x + 3, k);
        for (int j = 0; j < 3; j++)
            y[j] += p.h * k[j];
    }
    result[0] = 0.5 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}
