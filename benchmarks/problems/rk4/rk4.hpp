// rk4.c for any scalar.
#pragma once
#include "problem.hpp"

template <class T> void rate(const T *y, const T *par, T *out)
{
    out[0] = par[0] * (y[1] - y[0]);
    out[1] = y[0] * (par[1] - y[2]) - y[1];
    out[2] = y[0] * y[1] - par[2] * y[2];
}

template <class T> void moved(const T *y, double h, const T *k, T *out)
{
    for (int j = 0; j < 3; j++)
        out[j] = y[j] + h * k[j];
}

template <class T> void evaluate(const Problem &p, int, const T *x, T *result)
{
    const T *par = x + 3;
    T y[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < p.steps; i++) {
        T k1[3], k2[3], k3[3], k4[3], z[3];
        rate<T>(y, par, k1);
        moved<T>(y, 0.5 * p.h, k1, z);
        rate<T>(z, par, k2);
        moved<T>(y, 0.5 * p.h, k2, z);
        rate<T>(z, par, k3);
        moved<T>(y, p.h, k3, z);
        rate<T>(z, par, k4);
        for (int j = 0; j < 3; j++)
            y[j] += p.h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
    }
    result[0] = 0.5 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}
