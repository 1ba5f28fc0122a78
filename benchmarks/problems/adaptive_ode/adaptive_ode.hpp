// adaptive_ode.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>

template <class T> void rate(const T *y, const T *par, T *out)
{
    out[0] = par[0] * y[0] - par[1] * y[0] * y[1];
    out[1] = par[2] * y[0] * y[1] - par[3] * y[1];
}

template <class T> void evaluate(const Problem &p, int, const T *in, T *result)
{
    const double end = p.end, tol = p.tol;
    using std::fabs;
    const T *par = in + 2;
    T y[2] = {in[0], in[1]};
    double t = 0.0, h = 0.1;
    while (t < end) {
        T k1[2], k2[2], mid[2], err;
        if (h > end - t)
            h = end - t;
        rate<T>(y, par, k1);
        mid[0] = y[0] + h * k1[0];
        mid[1] = y[1] + h * k1[1];
        rate<T>(mid, par, k2);
        err = 0.5 * h * (fabs(k2[0] - k1[0]) + fabs(k2[1] - k1[1]));
        while (err > tol) {
            h *= 0.5;
            mid[0] = y[0] + h * k1[0];
            mid[1] = y[1] + h * k1[1];
            rate<T>(mid, par, k2);
            err = 0.5 * h * (fabs(k2[0] - k1[0]) + fabs(k2[1] - k1[1]));
        }
        y[0] += 0.5 * h * (k1[0] + k2[0]);
        y[1] += 0.5 * h * (k1[1] + k2[1]);
        t += h;
        if (err < 0.125 * tol)
            h *= 2.0;
    }
    result[0] = 0.5 * (y[0] * y[0] + y[1] * y[1]);
}
