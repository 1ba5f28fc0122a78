// nbody.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

template <class T> void evaluate(const Problem &p, int, const T *in, T *y)
{
    const int n = p.n, steps = p.steps;
    const double dt = p.dt, softening = p.softening;
    using std::sqrt;
    std::vector<T> x(in, in + 3 * n), v(in + 3 * n, in + 6 * n);
    const T *mass = in + 6 * n;
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                T dx = x[3 * j] - x[3 * i];
                T dy = x[3 * j + 1] - x[3 * i + 1];
                T dz = x[3 * j + 2] - x[3 * i + 2];
                T sq = dx * dx + dy * dy + dz * dz + softening;
                T pull = dt / (sq * sqrt(sq));
                v[3 * i] += mass[j] * pull * dx;
                v[3 * i + 1] += mass[j] * pull * dy;
                v[3 * i + 2] += mass[j] * pull * dz;
                v[3 * j] -= mass[i] * pull * dx;
                v[3 * j + 1] -= mass[i] * pull * dy;
                v[3 * j + 2] -= mass[i] * pull * dz;
            }
        for (int i = 0; i < 3 * n; i++)
            x[i] += dt * v[i];
    }
    T sum = 0.0;
    for (int i = 0; i < 3 * n; i++)
        sum += x[i] * x[i];
    y[0] = 0.5 * sum;
}
