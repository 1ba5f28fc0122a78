// fft.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <utility>
#include <vector>

template <class T> void reverse_bits(int n, T *z)
{
    for (int i = 0, j = 0; i < n; i++) {
        if (j > i) {
            std::swap(z[2 * j], z[2 * i]);
            std::swap(z[2 * j + 1], z[2 * i + 1]);
        }
        int m = n >> 1;
        while (m >= 1 && j & m) {
            j ^= m;
            m >>= 1;
        }
        j |= m;
    }
}

template <class T> void transform(int n, T *z)
{
    if (n == 1)
        return;
    const int half = n / 2;
    transform(half, z);
    transform(half, z + 2 * half);
    const double s = std::sin(std::acos(-1.0) / n), turn = -std::sin(2.0 * std::acos(-1.0) / n), shrink = -2.0 * s * s;
    double re = 1.0, im = 0.0;
    for (int k = 0; k < half; k++) {
        T *a = z + 2 * k, *b = z + 2 * (k + half);
        const T t = re * b[0] - im * b[1], u = re * b[1] + im * b[0];
        b[0] = a[0] - t;
        b[1] = a[1] - u;
        a[0] += t;
        a[1] += u;
        const double old = re;
        re += re * shrink - im * turn;
        im += im * shrink + old * turn;
    }
}

template <class T> void evaluate(const Problem &p, int, const T *x, T *y)
{
    std::vector<T> z(x, x + 2 * p.n);
    reverse_bits(p.n, z.data());
    transform(p.n, z.data());
    T sum = 0.0;
    for (int k = 0; k < p.n; k++)
        sum += p.w[k] * (z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1]);
    y[0] = sum;
}
