// brusselator.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

template <class T> void rate(int n, const T *s, const T *par, T *out)
{
    const int cells = n * n;
    const T &a = par[0], &b = par[1];
    const T spread = par[2] * double(n * n);
    const T *u = s, *v = s + cells;
    T *du = out, *dv = out + cells;
    for (int i = 0; i < n; i++) {
        const int up = (i == 0 ? n - 1 : i - 1) * n;
        const int down = (i == n - 1 ? 0 : i + 1) * n;
        for (int j = 0; j < n; j++) {
            const int left = i * n + (j == 0 ? n - 1 : j - 1);
            const int right = i * n + (j == n - 1 ? 0 : j + 1);
            const int at = i * n + j;
            T lap_u = u[up + j] + u[down + j] + u[left] + u[right] - 4.0 * u[at];
            T lap_v = v[up + j] + v[down + j] + v[left] + v[right] - 4.0 * v[at];
            T react = u[at] * u[at] * v[at];
            du[at] = b + react - (a + 1.0) * u[at] + spread * lap_u;
            dv[at] = a * u[at] - react + spread * lap_v;
        }
    }
}

template <class T> void evaluate(const Problem &p, int, const T *in, T *y)
{
    const int n = p.n, steps = p.steps;
    const double dt = p.dt;
    const int w = 2 * n * n;
    std::vector<T> s(in, in + w), mid(w), k1(w), k2(w), k3(w), k4(w);
    const T *par = in + w;
    for (int t = 0; t < steps; t++) {
        rate<T>(n, &s[0], par, &k1[0]);
        for (int i = 0; i < w; i++)
            mid[i] = s[i] + 0.5 * dt * k1[i];
        rate<T>(n, &mid[0], par, &k2[0]);
        for (int i = 0; i < w; i++)
            mid[i] = s[i] + 0.5 * dt * k2[i];
        rate<T>(n, &mid[0], par, &k3[0]);
        for (int i = 0; i < w; i++)
            mid[i] = s[i] + dt * k3[i];
        rate<T>(n, &mid[0], par, &k4[0]);
        for (int i = 0; i < w; i++)
            s[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    T sum = 0.0;
    for (int i = 0; i < w; i++)
        sum += s[i] * s[i];
    y[0] = 0.5 * sum;
}
