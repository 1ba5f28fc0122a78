// dopri.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>

static const double stage[6][6] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double error[7] = {71.0 / 57600,     0.0,         -71.0 / 16695, 71.0 / 1920,
                                -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

template <class T> void rate(const T *y, const T *par, T *out)
{
    out[0] = par[0] * y[0] - par[1] * y[0] * y[1];
    out[1] = par[2] * y[0] * y[1] - par[3] * y[1];
}

template <class T> void evaluate(const Problem &p, int, const T *x, T *result)
{
    using std::fabs;
    using std::pow;
    const T *par = x + 2;
    T y[2] = {x[0], x[1]}, t = 0.0, h = 0.01;
    while (t < p.end) {
        T k[7][2], z[2], off = 0.0;
        if (h > p.end - t)
            h = p.end - t;
        rate<T>(y, par, k[0]);
        for (int s = 0; s < 6; s++) {
            for (int j = 0; j < 2; j++) {
                T sum = 0.0;
                for (int r = 0; r <= s; r++)
                    sum += stage[s][r] * k[r][j];
                z[j] = y[j] + h * sum;
            }
            rate<T>(z, par, k[s + 1]);
        }
        for (int j = 0; j < 2; j++) {
            T sum = 0.0;
            for (int r = 0; r < 7; r++)
                sum += error[r] * k[r][j];
            const T size = fabs(h * sum);
            if (size > off)
                off = size;
        }
        if (off <= p.tol) {
            t += h;
            y[0] = z[0];
            y[1] = z[1];
        }
        T grow = 0.9 * pow(p.tol / (off + 1e-300), 0.2);
        if (grow < 0.2)
            grow = 0.2;
        if (grow > 4.0)
            grow = 4.0;
        h *= grow;
    }
    result[0] = 0.5 * (y[0] * y[0] + y[1] * y[1]);
}
